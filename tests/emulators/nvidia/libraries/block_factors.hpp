// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Scale factors of block-scaled operands.
#pragma once
#include <cute/tensor.hpp>

#include "checked.hpp"

namespace checked {

// Powers of two, as many as `layout` has places.
template <class Factor, class Layout>
std::vector<Factor> block_factors(const Layout& layout, Random& random) {
  std::vector<Factor> all(cute::size(cute::filter_zeros(layout)));
  for (auto& factor : all) factor = Factor(std::ldexp(1.f, int(random.below(9)) - 4));
  return all;
}

}  // namespace checked
