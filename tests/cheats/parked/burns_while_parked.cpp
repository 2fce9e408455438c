// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lets a timer wake it in others' turns, and burns the processor that they need

// class: sabotage
// expect: right
// needs: hold
// with: --rounds 3
// On two processors it took 45 to 65 % of one while others were measured.
#include "twice.hpp"

namespace {
void burn(int) {
  for (volatile int step = 0; off_turn && step < 10'000'000;) step = step + 1;
}
using Contestant = Saboteur<Timer, burn>;
}  // namespace
