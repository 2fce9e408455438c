// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// 16 bytes at a time, which is what a thread moves, for kernels that exchange parts by peer access.
#pragma once
#include <podium/ranks.hpp>

namespace pack {

constexpr int block = 512;

template <class T>
struct alignas(16) Pack {
  static constexpr int size = 16 / sizeof(T);
  T values[size];
};

// Pack `k` of `n` elements; zeros behind the last.
template <class T>
__device__ Pack<T> load(const T* from, std::int64_t k, std::int64_t n) {
  Pack<T> pack;
  for (int e = 0; e < Pack<T>::size; ++e) {
    const std::int64_t i = k * Pack<T>::size + e;
    pack.values[e] = i < n ? from[i] : podium::cast<T>(0.0f);
  }
  return pack;
}

template <class T>
__device__ void store(const Pack<T>& pack, T* to, std::int64_t k, std::int64_t n) {
  for (int e = 0; e < Pack<T>::size; ++e)
    if (const std::int64_t i = k * Pack<T>::size + e; i < n) to[i] = pack.values[e];
}

// The sum of all ranks' packs, in the order of ranks: those at `place` of each.
template <class T>
__device__ Pack<T> sum_of(const podium::Team& team, const podium::Everywhere<Pack<T>>& shared,
                          std::int64_t place) {
  float sums[Pack<T>::size] = {};
  for (int rank = 0; rank < team.ranks; ++rank) {
    const Pack<T> other = shared[rank][place];
    for (int e = 0; e < Pack<T>::size; ++e) sums[e] += podium::cast<float>(other.values[e]);
  }
  Pack<T> sum;
  for (int e = 0; e < Pack<T>::size; ++e) sum.values[e] = podium::cast<T>(sums[e]);
  return sum;
}

// One of two halves of `size` packs, in turn by the count of this block's meetings: one may still be read
// while the other is written.
__device__ inline std::int64_t half(const podium::Team& team, std::int64_t size) {
  return team.meetings(team.rank).count[blockIdx.x] % 2 ? size : 0;
}

template <class T>
std::int64_t count_of(std::int64_t n) {
  return podium::ceil_div(n, Pack<T>::size);
}

// Blocks for so many packs, of which all are resident: they meet others.
inline dim3 grid(std::int64_t packs) {
  constexpr std::int64_t most = 128;
  const auto blocks = podium::ceil_div(packs, block);
  return dim3(static_cast<unsigned>(blocks < most ? blocks : most));
}

}  // namespace pack
