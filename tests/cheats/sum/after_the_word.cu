// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Works when the judge has looked at its clock

// class: side stream, late work
// expect: wrong | not written | clock
// The call does nothing. The worker, which waits for nothing but the given stream, says that it is done; the
// judge's own work goes to the device and ends its interval. This sum is launched meanwhile: when the
// judge's queue runs dry before it asks for the outputs, the turn is this process's, and the outputs are
// there when they are copied. So nothing may come between the end of the interval and the copies.
#include "quick_sum.hpp"
#include "side_stream.hpp"
#include "unwaited.hpp"

namespace {
struct Contestant {
  QuickSum sum;
  SideStream side;
  problem::Arguments wanted{};
  AfterTheWord late{std::chrono::microseconds(60), [this] { sum(wanted, side.get()); }};

  Contestant(const problem::Workload&, podium::Workspace& workspace, podium::Stream stream) : sum(workspace) {
    let_nobody_wait_for_more_than(stream);
  }
  ~Contestant() { cudaStreamSynchronize(side.get()); }
  void run(const problem::Arguments& args, podium::Stream) {
    wanted = args;
    late.await();
  }
};
}  // namespace
