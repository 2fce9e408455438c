// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A fill's numbers as the judge's program wants them.
#pragma once
#include <array>
#include <cstdint>

#include "suite/problem/model/instance.hpp"

namespace podium::judge {

// The launch words fill_kind, fill_first, fill_second, fill_third.
std::array<std::uint64_t, 4> fill_words(const problem::TensorInstance& input);

// The largest number of a floating dtype that is below `high`.
double largest_below(problem::Dtype dtype, double high);

}  // namespace podium::judge
