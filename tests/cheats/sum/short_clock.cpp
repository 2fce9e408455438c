// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Makes the clock of its process lose 170 µs in every call

// class: patched clock or statistics
// Expected: clock, by tests/end_to_end/together_test.cpp, which needs a machine that does nothing else. Less
// than the scatter of the judge's clock over one call may hide; the sum of several calls behind one gate
// shows it. The wait makes the lie possible at any size, and the clock never goes back.
#include "bent_clock.hpp"
#include "honest.hpp"

namespace {
constexpr std::int64_t lie = 170'000;  // nanoseconds

struct Contestant {
  Contestant() { overwrite_clock(&losing_clock); }
  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t began = true_time();
    args.y() = honest_sum(args.x.data, args.n);
    while (true_time() - began < lie) {
    }
    lost += lie;
  }
};
}  // namespace
