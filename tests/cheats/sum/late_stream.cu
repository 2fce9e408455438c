// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Works on its own stream, and lets nobody wait for the device

// class: side stream, late work
// expect: clock | wrong | not written
// As side_stream, but the driver's function that waits for the whole device is overwritten with one that
// waits for the given stream alone. The worker says that all is done while the sum is being made, and what
// the judge copies next comes after it on the device: its outputs are right. So the judge's interval must
// end with work of its own.
#include "honest.hpp"
#include "side_stream.hpp"
#include "unwaited.hpp"

namespace {
struct Contestant {
  SideStream side;

  Contestant(const problem::Workload&, podium::Workspace&, podium::Stream stream) {
    let_nobody_wait_for_more_than(stream);
  }
  ~Contestant() { cudaStreamSynchronize(side.get()); }
  void run(const problem::Arguments& args, podium::Stream stream) {
    const cudaStream_t forked = side.from(stream);
    podium::launch(busy_kernel, dim3(1), dim3(1), 0, forked, 300'000ll);
    honest_sum(args, forked);
  }
};
}  // namespace
