// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Memory that C++ of this program has: all that `new` gives is counted where allocations.cpp is linked in.
#pragma once
#include <cstdint>

namespace podium::fuzz {

std::int64_t allocated();       // bytes, now
std::int64_t most_allocated();  // at once, since forget_most()
void forget_most();

}  // namespace podium::fuzz
