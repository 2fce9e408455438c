// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Attention over many rows on AMD's matrix cores. Each wave of a block has `side` rows, whose queries stay in
// its registers. The block walks along a stretch of keys in tiles, which lie in LDS for all of its waves:
// keys as in memory, values transposed. The next tile is on its way meanwhile: on gfx950 its keys straight to
// LDS, else through registers.
#pragma once
#include "flash_launch.hpp"
#include "matrix_cores.hpp"

namespace attention::matrix_cores {

template <class Core_, int head_dim_>
struct Prompt {
  using Core = Core_;
  static constexpr int head_dim = head_dim_, keys = Core::lanes, threads = matrix_cores::threads;
  static constexpr int waves = threads / Core::lanes, rows = waves * Core::side;
  static constexpr int chunks = head_dim / flash::chunk_width;  // of a row
  static constexpr int key_tiles = keys / Core::side, value_tiles = head_dim / Core::side;
  static constexpr int run = 4, runs = keys / run;  // keys whose values lie side by side
#if defined(__gfx950__)
  static constexpr bool direct = true;  // global_load_lds_dwordx4, to a second buffer
#else
  static constexpr bool direct = false;
#endif
  static constexpr int key_buffers = direct ? 2 : 1;
  static constexpr int waves_per_simd = 2;  // at least: limits the registers
};

using Bytes16 = Vector<unsigned, 4>;

// Key j of the block's request, where `first` is the first slot's.
template <class S>
__device__ const real* block_row(const flash::Block<S>& block, const real* first, int j) {
  const int slot = int(attention::slot(block.a, block.item.request, j));
  return first + std::int64_t(slot) * (int(block.a.kv_heads) * S::head_dim);
}

// A tile of keys in LDS. A row's chunks are permuted as flash::chunk() expects.
template <class S>
class KeyTile {
 public:
  // Keys `first` and on are to come; none if they are at the end of the block's keys.
  __device__ void fetch(const flash::Block<S>& block, real* tile, int first) {
    coming_ = first < block.item.end;
    if (!coming_) return;
#pragma unroll
    for (int n = 0; n < each; ++n) {
      const int c = n * S::threads + int(threadIdx.x), row = c / S::chunks, d = c % S::chunks ^ row % 8;
      const int j = min(first + row, block.item.end - 1);
      const real* const from = block_row(block, key(block.a, 0, block.kv_head), j) + d * flash::chunk_width;
      if constexpr (S::direct)
        to_lds(from, tile + (n * S::threads + int(threadIdx.x) / S::Core::lanes * S::Core::lanes) *
                                flash::chunk_width);
      else
        chunks_[n] = *reinterpret_cast<const Bytes16*>(from);
    }
  }
  // Before the barrier behind which they are there.
  __device__ void keep(real* tile) const {
    if constexpr (S::direct) {
      asm volatile("s_waitcnt vmcnt(0)" ::: "memory");
    } else if (coming_) {
#pragma unroll
      for (int n = 0; n < each; ++n)
        *reinterpret_cast<Bytes16*>(tile + (n * S::threads + int(threadIdx.x)) * flash::chunk_width) =
            chunks_[n];
    }
  }

 private:
  static constexpr int each = S::keys * S::chunks / S::threads;

  // 16 bytes of each lane, one lane behind the other.
  static __device__ void to_lds(const real* from, real* wave) {
#if defined(__gfx950__)
    __builtin_amdgcn_global_load_lds(const_cast<real*>(from), (__attribute__((address_space(3))) void*)wave,
                                     16, 0, 0);
#endif
  }

  Bytes16 chunks_[each];
  bool coming_ = false;
};

// A tile of values in LDS, transposed: four keys of an element lie side by side. Row x of operand t is
// element x * value_tiles + t. Runs are permuted so that those that a wave reads together lie in different
// banks.
template <class S>
class ValueTile {
 public:
  static __device__ real* run(real* tile, int d, int key) {
    return tile + d * S::keys + ((key / S::run ^ d / S::value_tiles) % S::runs) * S::run;
  }

  __device__ void fetch(const flash::Block<S>& block, int first) {
    if (first >= block.item.end) return;
#pragma unroll
    for (int i = 0; i < S::run; ++i) {
      const int j = min(first + key_of_thread() + i, block.item.end - 1);
      rows_[i] = *reinterpret_cast<const Row*>(block_row(block, value(block.a, 0, block.kv_head), j) +
                                               element_of_thread());
    }
  }
  __device__ void keep(real* tile) const {
#pragma unroll
    for (int e = 0; e < width; ++e) {
      Run turned;
#pragma unroll
      for (int i = 0; i < S::run; ++i) turned.at[i] = rows_[i].at[e];
      *reinterpret_cast<Run*>(run(tile, element_of_thread() + e, key_of_thread())) = turned;
    }
  }

  // Operand t for weights number n * held and on.
  template <class Scores>
  static __device__ auto operand(real* tile, int t, int n, int lane) {
    constexpr int held = S::Core::held;
    const int d = lane % S::Core::side * S::value_tiles + t;
    struct {
      Run of[held / S::run];
    } runs;
#pragma unroll
    for (int r = 0; r < held / S::run; ++r)
      runs.of[r] = *reinterpret_cast<const Run*>(run(tile, d, Scores::key(lane, n * held + r * S::run)));
    return __builtin_bit_cast(Operand<held>, runs);
  }

 private:
  static constexpr int parts = S::threads / S::runs, width = S::head_dim / parts;
  struct alignas(S::run * sizeof(real)) Run {
    real at[S::run];
  };
  struct alignas(width * sizeof(real)) Row {
    real at[width];
  };
  static __device__ int key_of_thread() { return int(threadIdx.x) / parts * S::run; }
  static __device__ int element_of_thread() { return int(threadIdx.x) % parts * width; }

  Row rows_[S::run];
};

// A wave's rows, from its registers.
template <class S, class Sums>
__device__ void put(const flash::Block<S>& block, const Sums& softmax, int row, int lane) {
  using Core = typename S::Core;
  const problem::Arguments& a = block.a;
  const flash::State state = softmax.state();
  if (!block.exists(row)) return;
  const bool first = lane < Core::side;
  const std::int64_t r = block.row_of(row), h = block.head_of(row);
  const std::int64_t place = block.plan.place(r, a.heads, h, block.item.part);
  const bool whole = block.item.part == flash::whole;
  const float scale = whole ? flash::finish(a, r, h, state, first) : 1.0f;
  if (!whole && first) block.plan.states[place] = state;
#pragma unroll
  for (int n = 0; n < Core::sums; n += 4) {  // four rows of all operands: elements side by side
    constexpr int count = 4 * S::value_tiles;
    const int d = Core::row(lane, n) * S::value_tiles;
    const auto sum = [&](int e) { return softmax.out[e % S::value_tiles][n + e / S::value_tiles]; };
    if (whole) {
      flash::Chunk numbers[count / flash::chunk_width];
#pragma unroll
      for (int e = 0; e < count; ++e)
        numbers[e / flash::chunk_width].at[e % flash::chunk_width] = podium::cast<real>(sum(e) * scale);
      __builtin_memcpy(__builtin_assume_aligned(result(a, r, h) + d, sizeof(flash::Chunk)), numbers,
                       sizeof numbers);
    } else {
#pragma unroll
      for (int e = 0; e < count; e += 4)
        *reinterpret_cast<float4*>(block.plan.sums + place * S::head_dim + d + e) =
            make_float4(sum(e), sum(e + 1), sum(e + 2), sum(e + 3));
    }
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::waves_per_simd)
    attend(problem::Arguments a, flash::Plan plan) {
  using Core = typename S::Core;
  using Tiles = Scores<Core, S::key_tiles>;
  __shared__ __align__(16) unsigned short all_keys[S::key_buffers][S::keys * S::head_dim];
  __shared__ __align__(16) unsigned short all_values[S::keys * S::head_dim];
  const auto keys = [&](int turn) { return reinterpret_cast<real*>(all_keys[turn % S::key_buffers]); };
  real* const values = reinterpret_cast<real*>(all_values);

  const int groups = int(a.heads) / plan.packed;
  const flash::Block<S> block(a, plan, plan.items[int(blockIdx.x) / groups],
                              int(blockIdx.x) % groups * plan.packed);
  const flash::Item& item = block.item;
  const int lane = int(threadIdx.x) % Core::lanes;
  const int row = int(threadIdx.x) / Core::lanes * Core::side + lane % Core::side;
  const bool changed_scores = flash::changes(a);

  KeyTile<S> next_keys;
  ValueTile<S> next_values;
  next_keys.fetch(block, keys(0), item.begin);
  next_values.fetch(block, item.begin);
  Queries<Core, S::head_dim> queries;
  if (block.exists(row)) queries.load(query(a, block.row_of(row), block.head_of(row)), lane);
  Softmax<Core, S::value_tiles> softmax(changed_scores ? log2_e : score_scale(a) * log2_e);
  next_keys.keep(keys(0));
  __syncthreads();

  int turn = 0;
  for (int at = item.begin; at < item.end; at += S::keys, ++turn) {
    Tiles scores;
#pragma unroll
    for (int n = 0; n < Queries<Core, S::head_dim>::chunks; ++n)
#pragma unroll
      for (int t = 0; t < S::key_tiles; ++t)
        scores.add(t,
                   Chunk<Core>::at(flash::chunk<S::head_dim>(keys(turn), t * Core::side + lane % Core::side,
                                                             Chunk<Core>::first(lane, n))),
                   queries.of[n]);
    // Not earlier: the compiler has reads of either buffer of keys wait for what comes to one of them.
    next_keys.fetch(block, keys(turn + 1), at + S::keys);
    if (changed_scores || block.needs_mask(at)) scores.adjust(block, row, at, changed_scores, lane);
    next_values.keep(values);
    softmax.weigh(scores);
    __syncthreads();  // the values are there; the keys have been used

    next_values.fetch(block, at + S::keys);
#pragma unroll
    for (int n = 0; n < Tiles::count / Core::held; ++n) {
      const auto weights = scores.weights(n);
#pragma unroll
      for (int t = 0; t < S::value_tiles; ++t)
        softmax.out[t] = Core::multiply(ValueTile<S>::template operand<Tiles>(values, t, n, lane), weights,
                                        softmax.out[t]);
    }
    next_keys.keep(keys(turn + 1));
    __syncthreads();  // the next keys are there; the values have been used
  }
  put(block, softmax, row, lane);
}

template <class Core>
struct PromptKernels : flash::Grouped {
  static flash::Pass pass(const problem::Workload& w, std::int64_t) {
    return w.head_dim == 64 ? of<Prompt<Core, 64>>() : of<Prompt<Core, 128>>();
  }
  template <class S>
  static flash::Pass of() {
    return {attend<S>, S::threads, 0, {S::rows, 512, 512}};
  }
};

template <class Core>
using PromptContestant = flash::Launches<PromptKernels<Core>>;

}  // namespace attention::matrix_cores
