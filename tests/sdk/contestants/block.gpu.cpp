// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A contestant in the portable dialect that uses most of it: one block a row, through shared memory and the
// warp.
#include <podium/scale.hpp>

namespace {
using problem::real;
constexpr int block = 128;

__global__ void __launch_bounds__(block)
    scale(podium::Tensor<const real, 2> x, podium::Tensor<real, 2> y,
          podium::Tensor<const std::int32_t, 1> shift, const float* factor) {
  __shared__ float row_shift;
  PODIUM_DYNAMIC_SHARED(float, row);
  if (threadIdx.x == 0) row_shift = podium::cast<float>(shift(blockIdx.x));
  __syncthreads();
  const int lane = static_cast<int>(threadIdx.x) % warpSize;
  float f = lane == 0 ? *factor : 0.0f;
  for (int d = warpSize / 2; d > 0; d /= 2) f += __shfl_xor_sync(podium::all_lanes, f, d);
  for (auto j = static_cast<std::int64_t>(threadIdx.x); j < x.extent(1); j += block) {
    row[threadIdx.x] = podium::cast<float>(x(blockIdx.x, j)) * f + row_shift;
    y(blockIdx.x, j) = podium::cast<real>(row[threadIdx.x]);
  }
}

__global__ void store(float value, float* at) { *at = value; }

struct Contestant {
  float* factor;

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream)
      : factor(workspace.device<float>(1)) {
    podium::require(w.rows <= problem::most_rows, "more than 64 rows");
    podium::allow_shared(scale, 56 << 10);
    podium::launch(store, dim3(1), dim3(1), 0, stream, w.factor, factor);
  }
  void run(const problem::Arguments& a, podium::Stream stream) {
    podium::launch(scale, dim3(a.rows), dim3(block), 56 << 10, stream, a.x, a.y, a.shift.device, factor);
  }
};
}  // namespace
