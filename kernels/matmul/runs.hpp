// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Adjacent elements of a matrix's row, read in one access where they may be.
#pragma once
#include <podium/matmul.hpp>

namespace runs {

using problem::real;

template <int count>
struct alignas(count * sizeof(real)) Run {
  real at[count];
};
// `count` elements of row i from column j on; zero beyond the matrix. `wide`: every row begins at a multiple
// of a Run.
template <int count>
__device__ Run<count> read(const podium::Tensor<const real, 2>& t, std::int64_t i, std::int64_t j,
                           bool wide) {
  const real* at = t.data + i * t.stride(0) + j;
  if (wide && i < t.extent(0) && j < t.extent(1)) return *reinterpret_cast<const Run<count>*>(at);
  Run<count> run;
#pragma unroll
  for (int s = 0; s < count; ++s)
    run.at[s] = i < t.extent(0) && j + s < t.extent(1) ? at[s] : podium::cast<real>(0.0f);
  return run;
}

}  // namespace runs
