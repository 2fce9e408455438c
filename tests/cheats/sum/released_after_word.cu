// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Its work waits in a queue until the call is over

// class: side stream, late work
// expect: wrong | not written | clock | hung
// As after_the_word, but the sum is enqueued within the call, on another stream, behind a word of memory
// that the host writes when the worker has said that it is done: nothing is left to be launched.
#include "driver_entry.hpp"
#include "quick_sum.hpp"
#include "side_stream.hpp"
#include "unwaited.hpp"

namespace {
struct Contestant {
  QuickSum sum;
  SideStream side;
  std::uint32_t* released;  // number of the last call whose work may go
  std::uint32_t call = 0;
  AfterTheWord late{std::chrono::microseconds(60),
                    [this] { *static_cast<volatile std::uint32_t*>(released) = call; }};

  Contestant(const problem::Workload&, podium::Workspace& workspace, podium::Stream stream)
      : sum(workspace), released(workspace.pinned<std::uint32_t>(1)) {
    let_nobody_wait_for_more_than(stream);
  }
  ~Contestant() {
    *static_cast<volatile std::uint32_t*>(released) = call;
    cudaStreamSynchronize(side.get());
  }
  void run(const problem::Arguments& args, podium::Stream) {
    ++call;
    podium::check(DRIVER(cuStreamWaitValue32)(side.get(), reinterpret_cast<CUdeviceptr>(released), call,
                                              CU_STREAM_WAIT_VALUE_GEQ));
    sum(args, side.get());
    late.await();
  }
};
}  // namespace
