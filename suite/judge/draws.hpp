// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the judge's program is told to draw: the numbers of a fill, and which values of an index are verified.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "suite/problem/model/instance.hpp"

namespace podium::judge {

// The launch words fill_kind, fill_first, fill_second, fill_third.
std::array<std::uint64_t, 4> fill_words(const problem::TensorInstance& input);

// The largest number of a floating dtype that is below `high`.
double largest_below(problem::Dtype dtype, double high);

// Distinct offsets in [0, extent), ascending: the first, the last and all of `wanted` (which are in range),
// and `drawn` more from `seed` and the number of the set. All of them if that is as many as there are.
std::vector<std::int64_t> draw_sample(std::int64_t extent, std::int64_t drawn, std::uint64_t seed,
                                      std::uint32_t set, const std::vector<std::int64_t>& wanted);

}  // namespace podium::judge
