// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which values of an index are verified.
#pragma once
#include <cstdint>
#include <vector>

namespace podium::judge {

// Distinct offsets in [0, extent), ascending: the first, the last and all of `wanted` (which are in range),
// and `drawn` more from `seed` and the number of the set. All of them if that is as many as there are.
std::vector<std::int64_t> draw_sample(std::int64_t extent, std::int64_t drawn, std::uint64_t seed,
                                      std::uint32_t set, const std::vector<std::int64_t>& wanted);

}  // namespace podium::judge
