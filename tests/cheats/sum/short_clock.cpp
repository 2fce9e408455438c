// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Makes the clock of its process lose 170 µs in every call

// class: patched clock or statistics
// Expected: clock, by tests/end_to_end/together_test.cpp, which needs a machine that does nothing else. Less
// than the scatter of the judge's clock over one call may hide; the sum of several calls behind one gate
// shows it.
#include "short_lie.hpp"

namespace {
struct Contestant {
  Contestant() { overwrite_clock(&losing_clock); }
  void run(const problem::Arguments& args, podium::Stream) { short_call(args, 170'000, true); }
};
}  // namespace
