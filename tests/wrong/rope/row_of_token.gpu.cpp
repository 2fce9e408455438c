// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Positions never read

// expect: wrong
// Right as long as every token's position is its number, as in prompts that all begin at 0.
#include "turn.hpp"

namespace {
struct Numbered : Right {
  __device__ static std::int64_t row(std::int64_t, std::int64_t t) { return t; }
};
struct Contestant : Turned<Numbered> {};
}  // namespace
