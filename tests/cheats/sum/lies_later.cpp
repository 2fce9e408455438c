// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Is honest and slow for three rounds, and takes 150 µs off every call afterwards

// class: patched clock or statistics
// Expected: nothing of its lies counts, by tests/end_to_end/together_test.cpp, which lays it beside its
// problem and needs a machine that does nothing else. Who has been looked at, several calls behind one gate,
// could think to be believed from then on; a time that this look does not bear out is looked at in its own
// round.
#include "short_lie.hpp"

namespace {
struct Contestant : KnowsRound {
  using KnowsRound::KnowsRound;
  void run(const problem::Arguments& args, podium::Stream) { short_call(args, 150'000, round >= 3); }
};
}  // namespace
