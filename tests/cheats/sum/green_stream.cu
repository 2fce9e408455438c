// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Works on multiprocessors of its own, for which nobody waits

// class: side stream, late work
// expect: clock | wrong | not written
// A green context has a share of the device's multiprocessors and streams of its own; the work is forked from
// the given stream into one of these and never joined, and the worker waits for the given stream alone.
#include "green.hpp"
#include "honest.hpp"
#include "side_stream.hpp"
#include "unwaited.hpp"

namespace {
struct Contestant {
  SideStream fork;

  Contestant(const problem::Workload&, podium::Workspace&, podium::Stream stream) {
    green();
    let_nobody_wait_for_more_than(stream);
  }
  ~Contestant() { cudaStreamSynchronize(green()); }
  void run(const problem::Arguments& args, podium::Stream stream) {
    const cudaStream_t side = fork.from(stream);
    cudaEvent_t forked{};
    podium::check(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
    podium::check(cudaEventRecord(forked, side));
    podium::check(cudaStreamWaitEvent(green(), forked, 0));
    podium::check(cudaEventDestroy(forked));
    podium::launch(busy_kernel, dim3(1), dim3(1), 0, green(), 300'000ll);
    honest_sum(args, green());
  }
};
}  // namespace
