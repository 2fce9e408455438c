// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Attention of single tokens on AMD's matrix cores, which is limited by memory. The heads of a group are the
// columns of a wave's tile. Each wave of a block walks along keys of its own, without LDS or barriers: a lane
// loads parts of rows of keys and values straight to registers, keys a step ahead. The instruction takes
// values transposed: a lane holds some elements of its keys' values, and element e of all lanes makes tile e.
// In the end the waves join their sums in LDS.
#pragma once
#include "../attention_prefill/flash_launch.hpp"
#include "../attention_prefill/matrix_cores.hpp"

namespace attention::matrix_cores {

template <class Core_, int head_dim_, bool rope_>
struct Decode {
  using Core = Core_;
  static constexpr bool rope = rope_;
  static constexpr int head_dim = head_dim_, rows = Core::side;
  static constexpr int waves = head_dim == 256 ? 2 : 4, threads = waves * Core::lanes;
  static constexpr int wave_keys = Core::lanes / 2, key_tiles = wave_keys / Core::side;  // a step
  static constexpr int keys = waves * wave_keys;
  static constexpr int width = head_dim / Core::side;  // elements of a row of values that a lane has
};

// Four numbers in e4m3 as bf16, exactly: as the upper halves of floats.
__device__ inline Vector<unsigned short, 4> widened(unsigned four) {
  float x[4];
#if defined(__gfx950__) || defined(__GFX12__)
  const auto low = __builtin_amdgcn_cvt_pk_f32_fp8(int(four), false),
             high = __builtin_amdgcn_cvt_pk_f32_fp8(int(four), true);
  x[0] = low[0], x[1] = low[1], x[2] = high[0], x[3] = high[1];
#else
#pragma unroll
  for (int n = 0; n < 4; ++n) {  // the bits in their places read 2^120 too small
    const unsigned magnitude = four >> 8 * n & 0x7f, sign = (four >> 8 * n & 0x80) << 24;
    x[n] = magnitude == 0x7f ? NAN : __builtin_bit_cast(float, magnitude << 20 | sign) * 0x1p120f;
  }
#endif
  Vector<unsigned short, 4> bits;
#pragma unroll
  for (int n = 0; n < 4; ++n) bits[n] = static_cast<unsigned short>(__builtin_bit_cast(unsigned, x[n]) >> 16);
  return bits;
}

// `count` numbers of a row of keys or values.
template <int count, class T>
__device__ void read(const T* from, real (&to)[count]) {
  constexpr int words = count * int(sizeof(T)) / 4, at_once = words < 4 ? words : 4;
  unsigned bits[words];
#pragma unroll
  for (int n = 0; n < words; n += at_once)
    *reinterpret_cast<Vector<unsigned, at_once>*>(bits + n) =
        *reinterpret_cast<const Vector<unsigned, at_once>*>(reinterpret_cast<const unsigned*>(from) + n);
  if constexpr (std::is_same_v<T, real>) {
    __builtin_memcpy(to, bits, sizeof bits);
  } else {
    static_assert(std::is_same_v<T, podium::e4m3> && std::is_same_v<real, podium::bf16>);
#pragma unroll
    for (int n = 0; n < words; ++n) {
      const auto numbers = widened(bits[n]);
      __builtin_memcpy(to + 4 * n, &numbers, sizeof numbers);
    }
  }
}

// Turns a lane's chunks of a row by its position: the lane has both numbers of a pair.
template <class S>
class Turn {
 public:
  static constexpr int width = flash::chunk_width, chunks = Queries<typename S::Core, S::head_dim>::chunks;

  __device__ explicit Turn(int lane) {
#pragma unroll
    for (int n = 0; n < chunks / 2; ++n)
#pragma unroll
      for (int e = 0; e < width; ++e)
        turns_[n][e] =
            rope_frequency(Chunk<typename S::Core>::first(lane, n) + e, S::head_dim) * 0.159154943f;
  }
  __device__ void apply(Chunk<typename S::Core> (&row)[chunks], float position) const {
#pragma unroll
    for (int n = 0; n < chunks / 2; ++n) {
      flash::Chunk low = __builtin_bit_cast(flash::Chunk, row[n]),
                   high = __builtin_bit_cast(flash::Chunk, row[n + chunks / 2]);
#pragma unroll
      for (int e = 0; e < width; ++e) {
        const float angle = __builtin_amdgcn_fractf(position * turns_[n][e]);
        const float c = __builtin_amdgcn_cosf(angle), s = __builtin_amdgcn_sinf(angle);
        const float x = podium::cast<float>(low.at[e]), y = podium::cast<float>(high.at[e]);
        low.at[e] = podium::cast<real>(x * c - y * s);
        high.at[e] = podium::cast<real>(y * c + x * s);
      }
      row[n] = __builtin_bit_cast(Chunk<typename S::Core>, low);
      row[n + chunks / 2] = __builtin_bit_cast(Chunk<typename S::Core>, high);
    }
  }

 private:
  float turns_[chunks / 2][width];  // a position
};

// A lane's part of the keys of one step. Lane n of the wave knows the slot of key n.
template <class S>
struct StepKeys {
  using Core = typename S::Core;
  using Query = Queries<Core, S::head_dim>;
  Chunk<Core> of[S::key_tiles][Query::chunks];

  __device__ void load(const flash::Block<S>& block, int own_slot, int lane) {
#pragma unroll
    for (int t = 0; t < S::key_tiles; ++t) {
      const int slot = __shfl(own_slot, t * Core::side + lane % Core::side);
      const Key* const row = key(block.a, slot, block.kv_head);
#pragma unroll
      for (int n = 0; n < Query::chunks; ++n) {
        real numbers[Chunk<Core>::width];
        read(row + Chunk<Core>::first(lane, n), numbers);
        of[t][n] = __builtin_bit_cast(Chunk<Core>, numbers);
      }
    }
  }
};

// A lane's part of the values of one step: some elements of the keys whose scores it has.
template <class S>
struct StepValues {
  using Core = typename S::Core;
  using Tiles = Scores<Core, S::key_tiles>;
  real of[Tiles::count][S::width];

  __device__ void load(const flash::Block<S>& block, int own_slot, int lane) {
#pragma unroll
    for (int n = 0; n < Tiles::count; ++n) {
      const int slot = __shfl(own_slot, Tiles::key(lane, n));
      read(value(block.a, slot, block.kv_head) + lane % Core::side * S::width, of[n]);
    }
  }

  // Element e of the values that meet weights number n * held and on.
  __device__ Operand<Core::held> operand(int e, int n) const {
    real column[Core::held];
#pragma unroll
    for (int i = 0; i < Core::held; ++i) column[i] = of[n * Core::held + i][e];
    return __builtin_bit_cast(Operand<Core::held>, column);
  }
};

// Joins the waves' sums.
template <class S, class Sums>
__device__ void put_joined(const flash::Block<S>& block, const Sums& softmax, int wave, int lane) {
  using Core = typename S::Core;
  constexpr int pitch = S::head_dim + 4;  // rows begin in different banks
  __shared__ __align__(16) float sums[S::waves][S::rows][pitch];
  __shared__ flash::State states[S::waves][S::rows];
  __shared__ float factors[S::waves][S::rows];
  const problem::Arguments& a = block.a;
  const bool whole = block.item.part == flash::whole;
  const flash::State own = softmax.state();
  if (lane < Core::side) states[wave][lane] = own;
#pragma unroll
  for (int n = 0; n < Core::sums; ++n)
#pragma unroll
    for (int e = 0; e < S::width; ++e)
      sums[wave][lane % Core::side][Core::row(lane, n) * S::width + e] = softmax.out[e][n];
  __syncthreads();

  if (const int row = int(threadIdx.x); row < S::rows && block.exists(row)) {
    flash::State joined{-INFINITY, 0};
#pragma unroll
    for (int w = 0; w < S::waves; ++w) joined.peak = fmaxf(joined.peak, states[w][row].peak);
    const float base = joined.peak == -INFINITY ? 0.0f : joined.peak;
#pragma unroll
    for (int w = 0; w < S::waves; ++w) {
      factors[w][row] = flash::power_of_two(states[w][row].peak - base);
      joined.total += factors[w][row] * states[w][row].total;
    }
    const std::int64_t r = block.row_of(row), h = block.head_of(row);
    if (whole) {
      const float factor = flash::finish(a, r, h, joined, true);
#pragma unroll
      for (int w = 0; w < S::waves; ++w) factors[w][row] *= factor;
    } else {
      block.plan.states[block.plan.place(r, a.heads, h, block.item.part)] = joined;
    }
  }
  __syncthreads();

  for (int n = int(threadIdx.x); n < S::rows * S::head_dim; n += S::threads) {
    const int row = n / S::head_dim, d = n % S::head_dim;
    if (!block.exists(row)) break;
    float sum = 0;
#pragma unroll
    for (int w = 0; w < S::waves; ++w) sum += factors[w][row] * sums[w][row][d];
    const std::int64_t r = block.row_of(row), h = block.head_of(row);
    if (whole)
      result(a, r, h)[d] = podium::cast<real>(sum);
    else
      block.plan.sums[block.plan.place(r, a.heads, h, block.item.part) * S::head_dim + d] = sum;
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads) decode(problem::Arguments a, flash::Plan plan) {
  using Core = typename S::Core;
  using Tiles = Scores<Core, S::key_tiles>;
  const int groups = int(a.heads) / plan.packed;
  const flash::Block<S> block(a, plan, plan.items[int(blockIdx.x) / groups],
                              int(blockIdx.x) % groups * plan.packed);
  const flash::Item& item = block.item;
  const int lane = int(threadIdx.x) % Core::lanes, wave = int(threadIdx.x) / Core::lanes;
  const int row = lane % Core::side;
  const bool changed_scores = flash::changes(a);
  const auto find = [&](int first) {
    return int(slot(a, item.request, min(first + lane % S::wave_keys, item.end - 1)));
  };

  Queries<Core, S::head_dim> queries;
  if (block.exists(row)) queries.load(query(a, block.row_of(row), block.head_of(row)), lane);
  const Turn<S> turn(lane);
  if constexpr (S::rope) turn.apply(queries.of, float(block.position(row)));
  Softmax<Core, S::width> softmax(changed_scores ? log2_e : score_scale(a) * log2_e);

  int at = item.begin + wave * S::wave_keys, own_slot = 0;
  StepKeys<S> keys;
  if (at < item.end) {
    own_slot = find(at);
    keys.load(block, own_slot, lane);
  }
  int next_slot = at + S::keys < item.end ? find(at + S::keys) : 0;
  for (; at < item.end; at += S::keys) {
    StepValues<S> values;
    values.load(block, own_slot, lane);
    StepKeys<S> next_keys;
    if (at + S::keys < item.end) next_keys.load(block, next_slot, lane);
    own_slot = next_slot;
    if (at + 2 * S::keys < item.end) next_slot = find(at + 2 * S::keys);

    if constexpr (S::rope)
#pragma unroll
      for (int t = 0; t < S::key_tiles; ++t)
        turn.apply(keys.of[t], float(at + t * Core::side + lane % Core::side));
    Tiles scores;
#pragma unroll
    for (int n = 0; n < Queries<Core, S::head_dim>::chunks; ++n)
#pragma unroll
      for (int t = 0; t < S::key_tiles; ++t) scores.add(t, keys.of[t][n], queries.of[n]);
    if (changed_scores || block.needs_mask(at)) scores.adjust(block, row, at, changed_scores, lane);
    softmax.weigh(scores);
#pragma unroll
    for (int n = 0; n < Tiles::count / Core::held; ++n) {
      const auto weights = scores.weights(n);
#pragma unroll
      for (int e = 0; e < S::width; ++e)
        softmax.out[e] = Core::multiply(values.operand(e, n), weights, softmax.out[e]);
    }
    keys = next_keys;
  }
  put_joined(block, softmax, wave, lane);
}

template <class Core>
struct DecodeKernels : flash::Grouped {
  static flash::Pass pass(const problem::Workload& w, std::int64_t) {
    if (w.head_dim == 64) return of<64>(w.rope != 0);
    if constexpr (many_registers)
      if (w.head_dim == 256) return of<256>(w.rope != 0);
    return of<128>(w.rope != 0);
  }
  static constexpr bool many_registers = Core::lanes == 64;  // as CDNA's waves have
  template <int head_dim>
  static flash::Pass of(bool rope) {
    if constexpr (many_registers || head_dim == 64)
      if (rope) return of<Decode<Core, head_dim, true>>();
    return of<Decode<Core, head_dim, false>>();
  }
  template <class S>
  static flash::Pass of() {
    return {decode<S>, S::threads, 0, {S::rows, 2048, 256}};
  }
};

template <class Core>
using DecodeContestant = flash::Launches<DecodeKernels<Core>>;

}  // namespace attention::matrix_cores
