// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Probes: +-1 by the verification's seed and the coordinates. A wrong product A b of such a vector b agrees
// with the right one with probability 1/2 at most in each row that is wrong: R. Freivalds, "Probabilistic
// machines can use less running time", IFIP Congress 1977.
#pragma once
#include "kernel.hpp"
#include "philox.hpp"

namespace podium::program {

// Coordinates enter one after the other, each keyed by what those before it gave.
template <class... I>
PODIUM_DEVICE double probe(Words words, u32 number, I... coordinate) {
  u64 key = words.word[launch_seed];
  Block4 drawn = {};
  ((drawn = philox(key, u64(i64(coordinate)), stream_of(Stream::probe, number)),
    key = u64(drawn.word[0]) | u64(drawn.word[1]) << 32),
   ...);
  return (drawn.word[2] & 1) != 0 ? 1.0 : -1.0;
}

}  // namespace podium::program
