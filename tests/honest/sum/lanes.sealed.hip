// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sealed, for AMD alone, lanes swapped without shared memory
//   values: { groups: "min(ceil_div(n, 2048), 256)" }
//   scratch: { partial: { dtype: f32, shape: [8 * groups] } }
//   launches:
//     - { kernel: sums_of_lanes, grid: [groups], block: [256], arguments: [x, partial, i64(n)] }
//     - { kernel: sums_of_lanes, grid: [1], block: [32], arguments: [partial, y, i64(8 * groups)] }

// expect: right
// A hardware instruction that only this vendor has, and no host code. Each 32 lanes have a sum, of waves of
// 32 and of 64 alike; the second launch is 32 lanes alone.
#include <podium/sum.hpp>

template <int lanes>
__device__ float with_neighbour(float value) {
  constexpr int whole_mask = 0x1f, exclusive_or = lanes << 10;
  return value +
         __int_as_float(__builtin_amdgcn_ds_swizzle(__float_as_int(value), exclusive_or | whole_mask));
}

extern "C" __global__ void __launch_bounds__(256) sums_of_lanes(const float* x, float* sums, std::int64_t n) {
  float sum = 0;
  const std::int64_t thread = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  for (std::int64_t i = thread; i < n; i += std::int64_t(gridDim.x) * blockDim.x) sum += x[i];
  sum = with_neighbour<1>(with_neighbour<2>(with_neighbour<4>(with_neighbour<8>(with_neighbour<16>(sum)))));
  if (thread % 32 == 0) sums[thread / 32] = sum;
}
