// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Reads where the inputs will be before the gate opens

// class: L2 persistence
// expect: right
// gains nothing over: honest_wide.cu
// A stream of its own is not held by the gate and brings those lines into the cache. The judge writes them
// anew and flushes: nothing is gained, and nothing is flagged.
#include "fetch.hpp"
#include "wide.hpp"

namespace {
struct Contestant {
  Fetch<PlainLoad> fetch;
  WideSum sum;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : fetch(workspace), sum(workspace) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    fetch(args, stream);
    sum(args, stream);
  }
};
}  // namespace
