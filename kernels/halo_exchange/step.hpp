// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One element of a step. `above` and `below`: the neighbours' rows, null around the grid.
#pragma once
#include <podium/halo_exchange.hpp>

namespace halo {

using problem::real;

PODIUM_BOTH real step(const podium::PackedTensor<const real, 2>& x, std::int64_t i, std::int64_t j,
                      const real* above, const real* below) {
  const std::int64_t rows = x.extent(0), cols = x.extent(1);
  const real up = i > 0 ? x(i - 1, j) : above ? above[j] : 0;
  const real down = i + 1 < rows ? x(i + 1, j) : below ? below[j] : 0;
  const real left = j > 0 ? x(i, j - 1) : 0, right = j + 1 < cols ? x(i, j + 1) : 0;
  return (up + down + left + right) / 4;
}

}  // namespace halo
