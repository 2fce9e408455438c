// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Random permutations without memory: element k of a row is a keyed bijection of [0, n) at k. A Feistel
// network permutes the powers of two, cycle walking cuts it down to n (J. Black, P. Rogaway, "Ciphers with
// arbitrary finite domains", CT-RSA 2002).
#pragma once
#include "fill_elements.hpp"
#include "kernel.hpp"
#include "numbers.hpp"
#include "philox.hpp"

namespace podium::program {

inline constexpr int permutation_rounds = 12;

// Which permutation: the key of a row.
PODIUM_DEVICE Block4 permutation_key(u64 seed, u32 tensor, i64 row) {
  return philox(seed, u64(row), stream_of(Stream::permutation, tensor));
}

// 32 well-mixed bits of `half` (the finaliser of MurmurHash3, Austin Appleby, public domain).
PODIUM_DEVICE u32 permutation_mix(u32 half, u32 key) {
  u32 x = half ^ key;
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

// The halves have `low_bits` and `high_bits` bits, at most 27: numbers of elements are below 2^53.
struct Halves {
  int low_bits, high_bits;
};
PODIUM_DEVICE Halves halves_of(i64 n) {
  int bits = 0;
  while (bits < 54 && (i64(1) << bits) < n) ++bits;
  return {bits / 2, bits - bits / 2};
}

// Round keys differ by a Weyl sequence, so that four words serve all rounds.
PODIUM_DEVICE u64 permuted_once(const Block4& key, Halves halves, u64 x) {
  const u32 low_mask = (u32(1) << halves.low_bits) - 1, high_mask = (u32(1) << halves.high_bits) - 1;
  u32 low = u32(x) & low_mask, high = u32(x >> halves.low_bits);
  for (int round = 0; round < permutation_rounds; round += 2) {
    low ^= permutation_mix(high, key.word[round % 4] + philox_step0 * u32(round)) & low_mask;
    high ^= permutation_mix(low, key.word[(round + 1) % 4] + philox_step0 * u32(round + 1)) & high_mask;
  }
  return u64(high) << halves.low_bits | low;
}

// Where `index` of [0, n) goes. The powers of two are less than 2 n: fewer than two steps on average.
PODIUM_DEVICE i64 permuted(const Block4& key, Halves halves, i64 n, i64 index) {
  u64 x = u64(index);
  do x = permuted_once(key, halves, x);
  while (x >= u64(n));
  return i64(x);
}

// Rows of fill_first elements each; the last may not be cut short.
template <class Data>
PODIUM_SHARED void permute(Words words, Group group, Data data, i64 count, u32 tensor) {
  const i64 n = words.integer(fill_first);
  const u64 seed = words.word[launch_seed];
  const Halves halves = halves_of(n);
  const Block4 first_key = permutation_key(seed, tensor, 0);
  write_elements(words, group, data, count, [&](const i64 k) {
    const i64 row = k < n ? 0 : k / n;
    const Block4 key = row == 0 ? first_key : permutation_key(seed, tensor, row);
    return permuted(key, halves, n, k - row * n);
  });
}

}  // namespace podium::program
