// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Takes 150 µs off every call of three rounds, and is honest and slow afterwards

// class: patched clock or statistics
// Expected: what the judge's clock saw counts in place of its lies, or clock, by
// tests/end_to_end/together_test.cpp, which lays it beside its problem and needs a machine that does nothing
// else. Who is looked at, several calls behind one gate, in one round
// alone may have told the truth there; what earlier rounds reported is not borne out by it. Doubted, it is
// honest from then on.
#include "short_lie.hpp"

namespace {
struct Contestant : KnowsRound {
  using KnowsRound::KnowsRound;
  void run(const problem::Arguments& args, podium::Stream) {
    short_call(args, 150'000, round != unknown && round < 3);
  }
};
}  // namespace
