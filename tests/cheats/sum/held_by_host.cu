// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A function of the host holds its work back until the call is over

// class: side stream, late work
// expect: wrong | not written | clock
// As after_the_word, but by the stream's own means: the sum is enqueued behind a function of the host,
// which returns when the worker has said that it is done.
#include "quick_sum.hpp"
#include "side_stream.hpp"
#include "unwaited.hpp"

namespace {
void hold(void* call) {
  const int before = int(reinterpret_cast<std::intptr_t>(call));
  const auto begun = std::chrono::steady_clock::now();
  while (waits == before && std::chrono::steady_clock::now() < begun + std::chrono::seconds(1)) {
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(40);
  while (std::chrono::steady_clock::now() < until) {
  }
}

struct Contestant {
  QuickSum sum;
  SideStream side;

  Contestant(const problem::Workload&, podium::Workspace& workspace, podium::Stream stream) : sum(workspace) {
    let_nobody_wait_for_more_than(stream);
  }
  ~Contestant() { cudaStreamSynchronize(side.get()); }
  void run(const problem::Arguments& args, podium::Stream) {
    podium::check(
        cudaLaunchHostFunc(side.get(), &hold, reinterpret_cast<void*>(std::intptr_t(waits.load()))));
    sum(args, side.get());
  }
};
}  // namespace
