// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A copy hands over the answer when the worker has said that it is done

// class: side stream, late work
// expect: wrong | not written | clock | right
// gains nothing over: honest_quick.cu
// The sum lies in memory of the host when the given stream ends. Copies need no multiprocessor, so one may
// run beside the judge's first work on the device.
#include "quick_sum.hpp"
#include "side_stream.hpp"
#include "unwaited.hpp"

namespace {
struct Contestant {
  QuickSum sum;
  SideStream side;
  float *kept, *to = nullptr;
  AfterTheWord late{std::chrono::microseconds(30),
                    [this] { cudaMemcpyAsync(to, kept, sizeof *to, cudaMemcpyHostToDevice, side.get()); }};

  Contestant(const problem::Workload&, podium::Workspace& workspace, podium::Stream stream)
      : sum(workspace), kept(workspace.pinned<float>(1)) {
    let_nobody_wait_for_more_than(stream);
  }
  ~Contestant() { cudaStreamSynchronize(side.get()); }
  void run(const problem::Arguments& args, podium::Stream stream) {
    to = args.y.data;
    problem::Arguments elsewhere = args;
    elsewhere.y.data = kept;
    sum(elsewhere, stream);
    late.await();
  }
};
}  // namespace
