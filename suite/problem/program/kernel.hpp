// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How a kernel of the judge's program is declared and how it cuts its work into groups.
//
// On a GPU a group is a block of `block_threads` threads and the context comes by value; on the CPU a group
// is one call and the context comes by address. Every kernel sees the same words: first those of the launch
// (launch.hpp), then those of the workload, whose places the generator writes into the text as constants.
#pragma once
#include "launch.hpp"
#include "types.hpp"

namespace podium::program {

inline constexpr int block_threads = 256;

// The words of the context; copied freely. `fault`: where a term only notes that something was at fault: no
// branch then stands between one read and the next. Null: each fault is recorded, with its place.
struct Words {
  const u64* word;
  bool* fault = nullptr;
  PODIUM_DEVICE i64 integer(int at) const { return i64(word[at]); }
  PODIUM_DEVICE double real(int at) const { return double_of(word[at]); }
  template <class T>
  PODIUM_DEVICE T* address(int at) const {
    return reinterpret_cast<T*>(word[at]);
  }
};

struct Group {
  int index, count;
};

#if PODIUM_GPU
struct Context {
  u64 word[PODIUM_WORDS];
};
#if defined(__HIP__)
#define PODIUM_PARAMETER const podium::program::Context
#else
#define PODIUM_PARAMETER const __grid_constant__ podium::program::Context
#endif
#define PODIUM_KERNEL(NAME) PODIUM_KERNEL_OF(NAME, 1)
// At least `groups` of them on a multiprocessor at once.
#define PODIUM_KERNEL_OF(NAME, GROUPS)                                                        \
  PODIUM_DEVICE void NAME##_body(podium::program::Words words, podium::program::Group group); \
  extern "C" __global__ void __launch_bounds__(podium::program::block_threads, GROUPS)        \
      NAME(PODIUM_PARAMETER context) {                                                        \
    NAME##_body(podium::program::Words{context.word},                                         \
                podium::program::Group{int(blockIdx.x), int(gridDim.x)});                     \
  }                                                                                           \
  PODIUM_DEVICE void NAME##_body([[maybe_unused]] const podium::program::Words words,         \
                                 [[maybe_unused]] const podium::program::Group group)
#else
#define PODIUM_KERNEL(NAME)                                                                                 \
  static inline void NAME##_body(podium::program::Words words, podium::program::Group group);               \
  extern "C" __attribute__((visibility("default"))) void NAME(const podium::program::u64* words, int group, \
                                                              int groups) {                                 \
    NAME##_body(podium::program::Words{words}, podium::program::Group{group, groups});                      \
  }                                                                                                         \
  static inline void NAME##_body([[maybe_unused]] const podium::program::Words words,                       \
                                 [[maybe_unused]] const podium::program::Group group)
#endif

// Of numbers that are not negative. 32 bits, where they do, are several times faster.
PODIUM_SHARED i64 quotient(i64 a, i64 b) { return ((a | b) >> 32) == 0 ? i64(u32(a) / u32(b)) : a / b; }

// The part [begin, end) of `count` items that falls to part `index` of `parts`, a multiple of `grain` but at
// the end.
struct Chunk {
  i64 begin, end;
};
PODIUM_DEVICE Chunk chunk(i64 count, i64 index, i64 parts, i64 grain = 1) {
  const i64 grains = (count + grain - 1) / grain, each = quotient(grains, parts),
            extra = grains - each * parts;
  const i64 begin = index * each + (index < extra ? index : extra);
  const i64 end = begin + each + (index < extra ? 1 : 0);
  return {begin * grain < count ? begin * grain : count, end * grain < count ? end * grain : count};
}

// Calls f(item) once for each of `count` items, over all groups; neighbouring items in neighbouring threads.
template <class F>
PODIUM_DEVICE void for_each(i64 count, Group group, F f) {
#if PODIUM_GPU
  const i64 step = i64(group.count) * block_threads;
#pragma unroll 1
  for (i64 item = i64(group.index) * block_threads + threadIdx.x; item < count; item += step) f(item);
#else
  const Chunk part = chunk(count, group.index, group.count);
  for (i64 item = part.begin; item < part.end; ++item) f(item);
#endif
}

#if PODIUM_GPU
// The T of another thread of the same team of neighbours, all of one warp; `word` is what hands on one word.
template <class T, class Word>
PODIUM_DEVICE T handed_on(const T& mine, Word word) {
  static_assert(sizeof(T) % sizeof(u64) == 0, "handed on in words");
  union Words64 {
    PODIUM_DEVICE Words64() {}
    T value;
    u64 word[sizeof(T) / sizeof(u64)];
  } here, there;
  here.value = mine;
  for (unsigned k = 0; k < sizeof(T) / sizeof(u64); ++k) there.word[k] = word(here.word[k]);
  return there.value;
}
// Of the thread `down` further.
template <class T>
PODIUM_DEVICE T from_lane(const T& mine, int down, int lanes) {
#if defined(__HIP__)
  return handed_on(mine, [&](const u64 word) { return __shfl_down(word, down, lanes); });
#else
  return handed_on(mine, [&](const u64 word) { return __shfl_down_sync(~0u, word, down, lanes); });
#endif
}
// Of the thread whose number differs in the bit `across`; and it gets this one's.
template <class T>
PODIUM_DEVICE T from_partner(const T& mine, int across, int lanes) {
#if defined(__HIP__)
  return handed_on(mine, [&](const u64 word) { return __shfl_xor(word, across, lanes); });
#else
  return handed_on(mine, [&](const u64 word) { return __shfl_xor_sync(~0u, word, across, lanes); });
#endif
}
inline constexpr int warp_lanes = 32;  // at least; some GPUs' warps have 64
#endif

// Combines one T of every thread of the group in the first `lanes` (a power of two) of each team of as many
// neighbours; the first thread of a team holds the result. T::merge(const T&) must be associative. On the
// CPU: nothing.
template <class T>
PODIUM_DEVICE void combine([[maybe_unused]] T& mine, [[maybe_unused]] int lanes) {
#if PODIUM_GPU
  if (lanes <= warp_lanes) {  // all threads of the group agree on that
#pragma unroll 1
    for (int half = lanes / 2; half > 0; half /= 2) mine.merge(from_lane(mine, half, lanes));
    return;
  }
  __shared__ __align__(8) unsigned char storage[block_threads * sizeof(T)];
  T* const all = reinterpret_cast<T*>(storage);
  const int thread = threadIdx.x;
  all[thread] = mine;
  __syncthreads();
  // Up to eight at a time: a barrier costs more than a few more to merge.
#pragma unroll 1
  for (int left = lanes; left > 1;) {
    const int step = left > 32 ? 32 : left > 4 ? 4 : 1;
    if (thread % lanes < step) {
#pragma unroll 1
      for (int next = step; next < left; next += step) mine.merge(all[thread + next]);
      all[thread] = mine;
    }
    __syncthreads();
    left = step;
  }
#endif
}

// Whether this thread speaks for its group after combine(…, group_lanes).
#if PODIUM_GPU
inline constexpr int group_lanes = block_threads;
PODIUM_DEVICE bool first_in_group() { return threadIdx.x == 0; }
#else
inline constexpr int group_lanes = 1;
PODIUM_DEVICE bool first_in_group() { return true; }
#endif

}  // namespace podium::program
