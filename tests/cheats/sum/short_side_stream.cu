// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Works some 10 µs on its own stream and does not wait for it

// class: side stream, late work
// expect: clock | too fast
// As side_stream, but no longer than the scatter of the judge's clock over one call: the outputs are there
// when they are copied, and the events of the given stream have seen nothing. Several calls behind one gate
// show it, or what memory allows at the most.
#include "quick_sum.hpp"
#include "side_stream.hpp"

namespace {
struct Contestant {
  QuickSum sum;
  SideStream side;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : sum(workspace) {}
  void run(const problem::Arguments& args, podium::Stream stream) { sum(args, side.from(stream)); }
};
}  // namespace
