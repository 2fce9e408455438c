// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Kernels that index tensors; with RAW by pointers, as who knows the layout would; with STRIDED such
// as may have any stride. packed.sh compares.
#include <podium/podium.hpp>

#if defined(STRIDED)
template <class T, int Rank>
using View = podium::Tensor<T, Rank>;
#else
template <class T, int Rank>
using View = podium::PackedTensor<T, Rank>;
#endif

extern "C" __global__ void line(View<const float, 1> x, View<float, 1> y) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= y.extent(0)) return;
#if defined(RAW)
  y.data[i] = 2 * x.data[i];
#else
  y(i) = 2 * x(i);
#endif
}

extern "C" __global__ void rows(View<const float, 2> x, View<float, 2> y) {
  const std::int64_t i = blockIdx.x;
  for (std::int64_t j = threadIdx.x; j < y.extent(1); j += blockDim.x)
#if defined(RAW)
    y.data[i * y.strides[0] + j] = 2 * x.data[i * x.strides[0] + j];
#else
    y(i, j) = 2 * x(i, j);
#endif
}
