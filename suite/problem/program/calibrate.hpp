// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The kernels of `podium calibrate`: what a device's memory, caches and arithmetic do at their best.
//
// Compilers must not see that nothing is wanted of a loop: each ends in a comparison with a word that they
// cannot know, and its result would be stored if the two were equal.
#pragma once
#define PODIUM_WORDS 16
#include "calibrate_lanes.hpp"
#include "calibrate_words.hpp"
#include "kernel.hpp"

#if PODIUM_GPU || defined(__clang__)
#define PODIUM_UNROLL _Pragma("unroll")
#else
#define PODIUM_UNROLL _Pragma("GCC unroll 16")
#endif

namespace podium::program {

static_assert(calibrate_words <= PODIUM_WORDS);

#if PODIUM_GPU
struct alignas(packet_bytes) Packet {
  u64 low, high;
};
using Half = u64;
PODIUM_DEVICE void store_past_caches(Packet* at, Packet value) { *at = value; }
#else
using Half = long long;
typedef Half Packet __attribute__((vector_size(packet_bytes)));
// A plain store would read the line first, and count half of the traffic.
PODIUM_DEVICE void store_past_caches(Packet* at, Packet value) {
#if defined(__clang__)
  __builtin_nontemporal_store(value, at);
#elif defined(__x86_64__)
  __builtin_ia32_movntdq(at, value);
#else
  *at = value;
#endif
}
#endif

PODIUM_DEVICE u64 random_bits(u64 number) {  // SplitMix64: Steele, Lea, Flood 2014
  u64 x = (number + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

PODIUM_DEVICE void store_if_wanted(Words words, u64 result) {
  if (result == words.word[calibrate_never]) *words.address<u64>(calibrate_to) = result;
}

// `steps` times `fused_unroll` rounds over the accumulators.
inline constexpr int fused_unroll = 16;
template <class Lanes, class Register>
PODIUM_FUSING void fused_steps(Register (&x)[accumulators], const Register (&factor)[2],
                               const Register (&summand)[2], const i64 steps) {
#if PODIUM_GPU
#pragma unroll 1
#endif
  for (i64 step = 0; step < steps; ++step) {
    PODIUM_UNROLL
    for (int round = 0; round < fused_unroll; ++round) {
      PODIUM_UNROLL
      for (int i = 0; i < accumulators; ++i)
        x[i] = Lanes::multiply_add(x[i], factor[(i + round) % 2], summand[(i + round) % 2]);
    }
  }
}

// `count` steps of the dtype.
template <CalibratedType dtype>
PODIUM_DEVICE void multiply_and_add(Words words) {
  using Lanes = Fused<dtype>;
  if constexpr (Lanes::lanes > 0) {
    using Register = typename Lanes::Register;
    const Register* start = words.address<Register>(calibrate_from);
#if PODIUM_GPU
    start += threadIdx.x * accumulators;
#endif
    Register x[accumulators];
    for (int i = 0; i < accumulators; ++i) x[i] = start[i];
    const u64* const bits = words.word + calibrate_factors;
    const Register factor[2] = {Lanes::of(bits[0]), Lanes::of(bits[1])};
    const Register summand[2] = {Lanes::of(bits[2]), Lanes::of(bits[3])};
    fused_steps<Lanes>(x, factor, summand, words.integer(calibrate_count));
    u64 all = 0;
    for (int i = 0; i < accumulators; ++i) all ^= bits_within(x[i]);
    store_if_wanted(words, all);
  }
}

}  // namespace podium::program

// to[i] = random words of the pattern; count: words.
PODIUM_KERNEL(calibrate_fill) {
  using namespace podium::program;
  u64* const to = words.address<u64>(calibrate_to);
  const u64 keep = words.word[calibrate_keep], fixed = words.word[calibrate_fixed];
  for_each(words.integer(calibrate_count), group,
           [&](i64 i) { to[i] = (random_bits(u64(i)) & keep) | fixed; });
}

// Reads `count` packets once.
PODIUM_KERNEL(calibrate_read) {
  using namespace podium::program;
  const Packet* const from = words.address<const Packet>(calibrate_from);
  const i64 count = words.integer(calibrate_count);
#if PODIUM_GPU
  u64 all = 0;
  const i64 step = i64(group.count) * block_threads;
#pragma unroll 4
  for (i64 i = i64(group.index) * block_threads + threadIdx.x; i < count; i += step) {
    const Packet packet = from[i];
    all ^= packet.low ^ packet.high;
  }
  store_if_wanted(words, all);
#else
  Packet all{};
  const Chunk part = chunk(count, group.index, group.count);
  for (i64 i = part.begin; i < part.end; ++i) all ^= from[i];
  store_if_wanted(words, bits_within(all));
#endif
}

// Writes `count` packets.
PODIUM_KERNEL(calibrate_write) {
  using namespace podium::program;
  Packet* const to = words.address<Packet>(calibrate_to);
  const Packet value = {Half(words.word[calibrate_never]), 1};
  for_each(words.integer(calibrate_count), group, [&](i64 i) { store_past_caches(to + i, value); });
#if !PODIUM_GPU && defined(__x86_64__)
  __builtin_ia32_sfence();
#endif
}

// Reads `count` packets `passes` times, from a cache that holds them. On a GPU every pass gives a group the
// part of another one, so that no first-level cache has it.
PODIUM_KERNEL(calibrate_read_cached) {
  using namespace podium::program;
  const Packet* const from = words.address<const Packet>(calibrate_from);
  const i64 count = words.integer(calibrate_count), passes = words.integer(calibrate_passes);
#if PODIUM_GPU
  u64 all = 0;
  const i64 each = (count + group.count - 1) / group.count;
  const int stride = 37 % group.count;
  int part = group.index;
#pragma unroll 1
  for (i64 pass = 0; pass < passes; ++pass) {
    const i64 begin = part * each, end = begin + each < count ? begin + each : count;
#pragma unroll 4
    for (i64 i = begin + threadIdx.x; i < end; i += block_threads) {
      const Packet packet = from[i];
      all ^= packet.low ^ packet.high;
    }
    part += stride;
    if (part >= group.count) part -= group.count;
  }
  store_if_wanted(words, all);
#else
  Packet all{};
  const Chunk part = chunk(count, group.index, group.count);
  for (i64 pass = 0; pass < passes; ++pass) {
    for (i64 i = part.begin; i < part.end; ++i) all ^= from[i];
    asm volatile("" : : : "memory");  // what was read may have changed: passes are not joined
  }
  store_if_wanted(words, bits_within(all));
#endif
}

PODIUM_KERNEL(calibrate_f64) {
  podium::program::multiply_and_add<podium::program::CalibratedType::f64>(words);
}
PODIUM_KERNEL(calibrate_f32) {
  podium::program::multiply_and_add<podium::program::CalibratedType::f32>(words);
}
PODIUM_KERNEL(calibrate_f16) {
  podium::program::multiply_and_add<podium::program::CalibratedType::f16>(words);
}
PODIUM_KERNEL(calibrate_bf16) {
  podium::program::multiply_and_add<podium::program::CalibratedType::bf16>(words);
}

// to[dtype] = operations of one group in one step, a multiply-add being two; 0: there is no such instruction.
PODIUM_KERNEL(calibrate_operations) {
  using namespace podium::program;
  if (group.index != 0 || !first_in_group()) return;
#if PODIUM_GPU
  constexpr u64 each = 2 * fused_unroll * accumulators * block_threads;
#else
  constexpr u64 each = 2 * fused_unroll * accumulators;
#endif
  u64* const to = words.address<u64>(calibrate_to);
  to[0] = each * Fused<CalibratedType::f64>::lanes;
  to[1] = each * Fused<CalibratedType::f32>::lanes;
  to[2] = each * Fused<CalibratedType::f16>::lanes;
  to[3] = each * Fused<CalibratedType::bf16>::lanes;
}

// Says that it runs: `count` goes to host memory, at once.
PODIUM_KERNEL(calibrate_signal) {
  using namespace podium::program;
  if (group.index != 0 || !first_in_group()) return;
  *words.address<volatile u64>(calibrate_to) = words.word[calibrate_count];
#if PODIUM_GPU
  __threadfence_system();
#endif
}
