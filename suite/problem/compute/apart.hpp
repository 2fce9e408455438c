// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which loops of a `compute` text have turns that need nothing of each other. Internal to Compute.
#pragma once
#include <cstdint>

#include "suite/problem/compute/tree.hpp"

namespace podium::problem {

// Turns of such a loop draw from sequences of random numbers of their own, one for so many turns: long enough
// that a thread is busy with them, short enough that a million rows keep all threads busy.
inline constexpr std::int64_t turns_a_sequence = 1024;

// Whether each turn of `loop`, a Kind::repeat, computes from nothing but its number, and writes elements of
// its own: no name from outside gets a value, `out` is not read, every out(i + c, …) has the same c, and the
// loop cannot be left early. That several random.ascending write elements of their own is seen only when it
// runs.
bool turns_apart(const ComputeTree& tree, const ComputeNode& loop);

}  // namespace podium::problem
