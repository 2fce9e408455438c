// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Steps that are a kernel each, of single elements.
#pragma once
#include <podium/ranks.hpp>

namespace steps {

constexpr int block = 256;

inline dim3 blocks(std::int64_t n) { return dim3(static_cast<unsigned>(podium::ceil_div(n, block))); }

template <class T>
__global__ void __launch_bounds__(block) copy_each(T* to, const T* from, std::int64_t n) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i < n) to[i] = from[i];
}

template <class T>
void copy(T* to, const T* from, std::int64_t n, podium::Stream stream) {
  podium::launch(copy_each<T>, blocks(n), dim3(block), 0, stream, to, from, n);
}

static __global__ void __launch_bounds__(block) wait_for_others(podium::Team team) { podium::meet(team, 0); }

inline void meet(const podium::Team& team, podium::Stream stream) {
  podium::launch(wait_for_others, dim3(1), dim3(block), 0, stream, team);
}

}  // namespace steps
