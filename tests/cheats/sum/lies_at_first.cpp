// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Takes 150 µs off every call of three rounds, and is honest and slow afterwards

// class: patched clock or statistics
// Expected: clock, or times of the judge's, by tests/end_to_end/together_test.cpp, which lays it beside its
// problem and needs a machine that does nothing else. Who is looked at, several calls behind one gate, in a
// later round alone may tell the truth there.
#include "short_lie.hpp"

namespace {
struct Contestant : KnowsRound {
  using KnowsRound::KnowsRound;
  void run(const problem::Arguments& args, podium::Stream) {
    short_call(args, 150'000, round != none && round < 3);
  }
};
}  // namespace
