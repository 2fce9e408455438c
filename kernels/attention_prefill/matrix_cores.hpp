// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What attention on AMD's matrix cores has in common, whatever their instruction. Scores are computed
// transposed, keys times queries: so a lane holds scores of one query alone, and the state of its softmax is
// a number a lane. Weights, rounded, are the right operand of the second product, values times weights, as
// they lie in registers.
//
// An instruction adds to `side` x `side` sums a product over `depth`. A lane holds `held` numbers of each
// operand, of row or column lane % side, and `sums` sums of column lane % side, of consecutive rows in fours.
// Which of the depth's numbers a lane holds is free, as long as left and right agree.
#pragma once
#include "flash_softmax.hpp"

namespace attention::matrix_cores {

constexpr int threads = 256;  // of a block

template <class T, int count>
using Vector = T __attribute__((ext_vector_type(count)));
#if defined(__gfx950__)
using Bf16 = __bf16;
#else
using Bf16 = short;  // to the instructions' builtins
#endif
template <int count>
using Operand = Vector<std::conditional_t<std::is_same_v<real, podium::f16>, _Float16, Bf16>, count>;

// CDNA 3 and 4: v_mfma_f32_32x32x8 and 16x16x16, on gfx950 32x32x16 and 16x16x32.
template <int side_>
struct Mfma {
  static constexpr bool half = std::is_same_v<real, podium::f16>;
#if defined(__gfx950__)
  static constexpr int held = 8;
#else
  static constexpr int held = 4;
#endif
  static constexpr int lanes = 64, side = side_, sums = side * side / lanes;
  using Sums = Vector<float, sums>;

  // Row of sum n.
  static __device__ constexpr int row(int lane, int n) { return n / 4 * 8 + lane / side * 4 + n % 4; }

  static __device__ Sums multiply(Operand<held> a, Operand<held> b, Sums c) {
#if defined(__gfx950__)
    if constexpr (side == 32 && half) return __builtin_amdgcn_mfma_f32_32x32x16_f16(a, b, c, 0, 0, 0);
    if constexpr (side == 32 && !half) return __builtin_amdgcn_mfma_f32_32x32x16_bf16(a, b, c, 0, 0, 0);
    if constexpr (side == 16 && half) return __builtin_amdgcn_mfma_f32_16x16x32_f16(a, b, c, 0, 0, 0);
    if constexpr (side == 16 && !half) return __builtin_amdgcn_mfma_f32_16x16x32_bf16(a, b, c, 0, 0, 0);
#else
    if constexpr (side == 32 && half) return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);
    if constexpr (side == 32 && !half) return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a, b, c, 0, 0, 0);
    if constexpr (side == 16 && half) return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
    if constexpr (side == 16 && !half) return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0);
#endif
  }
};

// RDNA 4: v_wmma_f32_16x16x16.
struct Wmma {
  static constexpr int held = 8, lanes = 32, side = 16, sums = 8;
  using Sums = Vector<float, sums>;

  static __device__ constexpr int row(int lane, int n) { return lane / side * 8 + n; }

  static __device__ Sums multiply([[maybe_unused]] Operand<held> a, [[maybe_unused]] Operand<held> b,
                                  Sums c) {
#if defined(__GFX12__)
    if constexpr (std::is_same_v<real, podium::f16>)
      return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(a, b, c);
    else
      return __builtin_amdgcn_wmma_f32_16x16x16_bf16_w32_gfx12(a, b, c);
#else
    return c;  // the host's pass, which generates no code for it
#endif
  }
};

// Eight numbers of a row, of which one or two operands are made.
template <class Core>
struct Chunk {
  static constexpr int width = flash::chunk_width, operands = width / Core::held;
  static constexpr int step = Core::lanes / Core::side * width;  // of a row, by all lanes that share it
  Operand<Core::held> of[operands];

  static __device__ Chunk at(const real* from) {
    Chunk chunk;
    *reinterpret_cast<uint4*>(&chunk) = *reinterpret_cast<const uint4*>(from);
    return chunk;
  }
  // The lane's first element in a row, for its chunk number n.
  static __device__ int first(int lane, int n) { return n * step + lane / Core::side * width; }
};

// A wave's query tile: `side` rows as columns, each lane one of them.
template <class Core, int head_dim>
struct Queries {
  static constexpr int chunks = head_dim / Chunk<Core>::step;
  Chunk<Core> of[chunks] = {};

  __device__ void load(const real* row, int lane) {
#pragma unroll
    for (int n = 0; n < chunks; ++n) of[n] = Chunk<Core>::at(row + Chunk<Core>::first(lane, n));
  }
};

// Of `tiles` tiles of keys against a wave's queries: a lane's scores, numbered through all tiles.
template <class Core, int tiles>
struct Scores {
  static constexpr int count = tiles * Core::sums;
  typename Core::Sums of[tiles] = {};

  // Among the keys of all tiles.
  static __device__ constexpr int key(int lane, int n) {
    return n / Core::sums * Core::side + Core::row(lane, n % Core::sums);
  }
  __device__ float get(int n) const { return of[n / Core::sums][n % Core::sums]; }
  __device__ void set(int n, float x) { of[n / Core::sums][n % Core::sums] = x; }

  __device__ void add(int tile, const Chunk<Core>& key, const Chunk<Core>& query) {
#pragma unroll
    for (int o = 0; o < Chunk<Core>::operands; ++o)
      of[tile] = Core::multiply(key.of[o], query.of[o], of[tile]);
  }

  // From products to scores of a query whose row of the block is `row`: soft cap, ALiBi, and -infinity for
  // keys that it does not see. The first of all keys is `at`.
  template <class Block>
  __device__ void adjust(const Block& block, int row, int at, bool changed, int lane) {
    const int first = block.first(row), end = block.end(row), i = block.query_of(row);
    const int head = block.exists(row) ? block.head_of(row) : 0;
#pragma unroll
    for (int n = 0; n < count; ++n) {
      const int j = at + key(lane, n);
      float x = get(n);
      if (changed) x = flash::changed(block.a, head, i, j, x * score_scale(block.a));
      set(n, j < first || j >= end ? -INFINITY : x);
    }
  }

  // Weights number n * held and on as an operand, rounded to nearest even.
  __device__ Operand<Core::held> weights(int n) const {
    constexpr int held = Core::held;
    Vector<float, held> x;
#pragma unroll
    for (int i = 0; i < held; ++i) x[i] = get(n * held + i);
    if constexpr (std::is_same_v<real, podium::f16>) {
      return __builtin_convertvector(x, Vector<_Float16, held>);
    } else {
#if defined(__gfx950__)
      return __builtin_convertvector(x, Vector<Bf16, held>);
#else
      const auto bits = __builtin_bit_cast(Vector<unsigned, held>, x);
      return __builtin_convertvector((bits + 0x7fff + (bits >> 16 & 1)) >> 16, Vector<Bf16, held>);
#endif
    }
  }
};

// Of one query a lane: the state of its softmax, and `tiles` tiles of sums of weighted values.
template <class Core, int tiles>
struct Softmax {
  float peak = -INFINITY, total = 0;  // the total of this lane's keys
  typename Core::Sums out[tiles] = {};
  float factor;  // from a score to base 2

  __device__ explicit Softmax(float f) : factor(f) {}

  // From scores to weights.
  template <int key_tiles>
  __device__ void weigh(Scores<Core, key_tiles>& scores) {
    constexpr int count = Scores<Core, key_tiles>::count;
    float higher = peak;
#pragma unroll
    for (int n = 0; n < count; ++n) higher = fmaxf(higher, scores.get(n));
    higher = over_lanes(higher, [](float x, float y) { return fmaxf(x, y); });
    const float base = higher == -INFINITY ? 0.0f : higher * factor;
    const float scale = flash::power_of_two(peak * factor - base);
    peak = higher;
    total *= scale;
#pragma unroll
    for (int t = 0; t < tiles; ++t) out[t] *= scale;
#pragma unroll
    for (int n = 0; n < count; ++n) {
      const float weight = flash::power_of_two(scores.get(n) * factor - base);
      scores.set(n, weight);
      total += weight;
    }
  }

  __device__ flash::State state() const {
    return {peak * factor, over_lanes(total, [](float x, float y) { return x + y; })};
  }

  // Over the lanes that share a query.
  template <class Combine>
  static __device__ float over_lanes(float value, Combine combine) {
#pragma unroll
    for (int step = Core::side; step < Core::lanes; step *= 2)
      value = combine(value, __shfl_xor(value, step));
    return value;
  }
};

}  // namespace attention::matrix_cores
