// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10, a counter-based random generator: J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw,
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once
#include "types.hpp"

namespace podium::program {

struct Block4 {
  u32 word[4];
};

// One round: counter words c, key (k0, k1).
PODIUM_DEVICE void philox_round(u32& c0, u32& c1, u32& c2, u32& c3, u32 k0, u32 k1) {
  constexpr u32 a = 0xD2511F53u, b = 0xCD9E8D57u;
  const u32 n0 = multiply_high_32(b, c2) ^ c1 ^ k0, n2 = multiply_high_32(a, c0) ^ c3 ^ k1;
  c1 = b * c2, c3 = a * c0, c0 = n0, c2 = n2;
}
inline constexpr u32 philox_step0 = 0x9E3779B9u, philox_step1 = 0xBB67AE85u;  // the key's increments (Weyl)
inline constexpr int philox_rounds = 10;

// counter: four words, low first; key: low word first.
PODIUM_DEVICE Block4 philox(u64 key, u64 counter_low, u64 counter_high) {
  u32 c0 = u32(counter_low), c1 = u32(counter_low >> 32), c2 = u32(counter_high),
      c3 = u32(counter_high >> 32);
  u32 k0 = u32(key), k1 = u32(key >> 32);
  for (int round = 0; round < philox_rounds; ++round, k0 += philox_step0, k1 += philox_step1)
    philox_round(c0, c1, c2, c3, k0, k1);
  return {{c0, c1, c2, c3}};
}

#if !PODIUM_GPU
// Several counters at once: the same numbers as philox(), in a shape that compilers turn into vector code.
inline constexpr int philox_width = 16;
struct Lanes {
  u32 c0[philox_width], c1[philox_width], c2[philox_width], c3[philox_width];
};
// Loops stay loops: unrolled, which -O3 does 160-fold, they take the compiler half of its time and are no
// faster.
PODIUM_DEVICE void philox(u64 key, Lanes& c) {
  u32 k0 = u32(key), k1 = u32(key >> 32);
#pragma GCC unroll 1
  for (int round = 0; round < philox_rounds; ++round, k0 += philox_step0, k1 += philox_step1)
#pragma GCC unroll 1
    for (int lane = 0; lane < philox_width; ++lane)
      philox_round(c.c0[lane], c.c1[lane], c.c2[lane], c.c3[lane], k0, k1);
}
// The words of `blocks` consecutive counters, one after the other; `blocks` is a multiple of philox_width.
inline void philox_sequence(u64 key, u64 counter_low, u64 counter_high, int blocks, u32* words) {
  for (int done = 0; done < blocks; done += philox_width) {
    Lanes c;
    for (int lane = 0; lane < philox_width; ++lane) {
      const u64 counter = counter_low + u64(done + lane);
      c.c0[lane] = u32(counter), c.c1[lane] = u32(counter >> 32);
      c.c2[lane] = u32(counter_high), c.c3[lane] = u32(counter_high >> 32);
    }
    philox(key, c);
    for (int lane = 0; lane < philox_width; ++lane) {
      u32* const at = words + 4 * (done + lane);
      at[0] = c.c0[lane], at[1] = c.c1[lane], at[2] = c.c2[lane], at[3] = c.c3[lane];
    }
  }
}
#endif

// What a stream of random words is for: the high half of its counter, so that streams never meet.
enum class Stream : u32 {
  fill = 0,
  sample = 1,
  hash = 2,
  draw = 3,
  permutation = 4,
  structure = 8,
  probe = 9
};
PODIUM_DEVICE u64 stream_of(Stream use, u32 number) { return u64(number) | (u64(use) << 32); }

}  // namespace podium::program
