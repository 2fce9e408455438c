// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Barriers, fences, and operations among the lanes of a warp.
#pragma once
#include <podium/emulation/block.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

inline void __syncthreads(PODIUM_HERE) { podium::host::barrier({"__syncthreads", file, line}, false); }
inline int __syncthreads_count(int vote, PODIUM_HERE) {
  return static_cast<int>(podium::host::barrier({"__syncthreads_count", file, line}, vote != 0));
}
inline int __syncthreads_or(int vote, PODIUM_HERE) {
  return podium::host::barrier({"__syncthreads_or", file, line}, vote != 0) != 0;
}
inline int __syncthreads_and(int vote, PODIUM_HERE) {
  return podium::host::barrier({"__syncthreads_and", file, line}, vote == 0) == 0;
}

// Fences let others run as well, for loops that wait on a volatile variable.
inline void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  podium::host::yield();
}
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }

namespace podium::host {

// `source`: the lane whose value this one gets.
template <class T>
T shuffle(Place at, lane_mask mask, T value, unsigned source) {
  static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>, "a shuffle moves up to eight bytes");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = host::exchange(at, mask, Exchange::shuffle, bits, source);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
inline unsigned segment(int width) { return host::lane() & ~(static_cast<unsigned>(width) - 1); }
inline lane_mask ballot(Place at, lane_mask mask, bool vote) {
  return static_cast<lane_mask>(host::exchange(at, mask, Exchange::ballot, vote, 0));
}

}  // namespace podium::host

template <class T>
T __shfl_sync(podium::lane_mask mask, T value, int source, int width = PODIUM_WARP, PODIUM_HERE) {
  const unsigned within = static_cast<unsigned>(source) & (static_cast<unsigned>(width) - 1);
  return podium::host::shuffle({"__shfl_sync", file, line}, mask, value,
                               podium::host::segment(width) + within);
}
template <class T>
T __shfl_xor_sync(podium::lane_mask mask, T value, int flip, int width = PODIUM_WARP, PODIUM_HERE) {
  const unsigned lane = podium::host::lane(), source = lane ^ static_cast<unsigned>(flip);
  const bool inside = source < podium::host::segment(width) + static_cast<unsigned>(width);
  return podium::host::shuffle({"__shfl_xor_sync", file, line}, mask, value, inside ? source : lane);
}
template <class T>
T __shfl_down_sync(podium::lane_mask mask, T value, unsigned by, int width = PODIUM_WARP, PODIUM_HERE) {
  const unsigned lane = podium::host::lane(),
                 end = podium::host::segment(width) + static_cast<unsigned>(width);
  return podium::host::shuffle({"__shfl_down_sync", file, line}, mask, value,
                               by < end - lane ? lane + by : lane);
}
template <class T>
T __shfl_up_sync(podium::lane_mask mask, T value, unsigned by, int width = PODIUM_WARP, PODIUM_HERE) {
  const unsigned lane = podium::host::lane();
  const bool inside = by <= lane - podium::host::segment(width);
  return podium::host::shuffle({"__shfl_up_sync", file, line}, mask, value, inside ? lane - by : lane);
}

inline podium::lane_mask __ballot_sync(podium::lane_mask mask, int vote, PODIUM_HERE) {
  return podium::host::ballot({"__ballot_sync", file, line}, mask, vote != 0);
}
inline int __any_sync(podium::lane_mask mask, int vote, PODIUM_HERE) {
  return podium::host::ballot({"__any_sync", file, line}, mask, vote != 0) != 0;
}
inline int __all_sync(podium::lane_mask mask, int vote, PODIUM_HERE) {
  return podium::host::ballot({"__all_sync", file, line}, mask, vote == 0) == 0;
}
template <class T>
podium::lane_mask __match_any_sync(podium::lane_mask mask, T value, PODIUM_HERE) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "values of four or eight bytes are matched");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  const podium::host::Place at{"__match_any_sync", file, line};
  return static_cast<podium::lane_mask>(
      podium::host::exchange(at, mask, podium::host::Exchange::match, bits, 0));
}
inline void __syncwarp(podium::lane_mask mask = ~podium::lane_mask{0}, PODIUM_HERE) {
  podium::host::exchange({"__syncwarp", file, line}, mask, podium::host::Exchange::none, 0, 0);
}
