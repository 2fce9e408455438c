// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Flash attention on matrix cores, one kernel for prompts and for single tokens. A block has a tile of rows,
// the queries of a request with all heads of a group, and walks along a stretch of its keys in tiles: scores
// = q k^T, weights = 2^(score - largest so far), sums += weights v, all in registers; keys and values arrive
// in shared memory meanwhile. Warps share the rows, or, where these are few, the keys of each tile. Where
// tiles are too few to keep a device busy, the keys of each are cut into stretches, and a second launch joins
// their sums.
//
// The constructor's plan lists the tiles and stretches, the longest first. A prefix that all requests share
// is a tile of the rows of all requests.
#pragma once
#include <podium/matrix.hpp>

#include <algorithm>
#include <vector>

#include "view.hpp"

namespace attention::flash {

namespace matrix = podium::matrix;

constexpr float log2_e = 1.44269504f;
constexpr int eight = 8;  // elements that are copied at once
constexpr int most_parts = 256;

// `row_warps` warps have `row_tiles` times 16 rows each; `key_warps` warps share the keys of such rows.
// `blocks_`: that a multiprocessor shall hold.
template <int head_dim_, int row_tiles_, int row_warps_, int key_warps_, int keys_, int blocks_>
struct Shape {
  static constexpr int blocks = blocks_;
  static constexpr int head_dim = head_dim_, row_tiles = row_tiles_, row_warps = row_warps_,
                       key_warps = key_warps_;
  static constexpr int keys = keys_, own_keys = keys / key_warps;
  static constexpr int warps = row_warps * key_warps, threads = warps * matrix::lanes;
  static constexpr int warp_rows = matrix::side * row_tiles, rows = warp_rows * row_warps;
  static constexpr int shared_bytes = (rows + 2 * keys) * head_dim * int(sizeof(real));
  static_assert(key_warps == 1 || warps * warp_rows * head_dim * int(sizeof(float)) <= shared_bytes);
};

// Queries `row` to before `row + queries` (of all rows) and keys `begin` to before `end` of a request, or of
// the shared prefix.
struct Item {
  int row, queries, request, begin, end;
  int part;  // its number among those of its rows, or `whole`
};
constexpr int shared_prefix = -1, whole = -1;

struct State {  // largest score, and sum of 2^(score - peak); scores are to base 2
  float peak, total;
};

struct Plan {
  const Item* items;
  const int* counts;  // parts of each row
  float* sums;        // of each row, head and part
  State* states;
  int parts;   // most of a row
  int packed;  // heads of a group that share a tile

  __device__ std::int64_t place(std::int64_t row, std::int64_t heads, std::int64_t head, int part) const {
    return (row * heads + head) * parts + part;
  }
};

__device__ inline float power_of_two(float x) {
#if defined(PODIUM_ON_CUDA)
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
#else
  return exp2f(x);
#endif
}

// A zero that the compiler does not know: addresses computed with it are computed again in each turn of a
// loop, and take no registers from the one to the next.
__device__ inline int unknown_zero() {
  int zero = 0;
#if defined(PODIUM_ON_CUDA)
  asm volatile("" : "+r"(zero));
#endif
  return zero;
}

// 16 bytes to shared memory, zeros if not `present`; there after arrive().
__device__ inline void copy(void* to, const void* from, bool present) {
#if defined(PODIUM_ON_CUDA)
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(unsigned(__cvta_generic_to_shared(to))),
               "l"(from), "r"(present ? 16 : 0)
               : "memory");
#else
  const uint4 none = make_uint4(0, 0, 0, 0);
  *static_cast<uint4*>(to) = present ? *static_cast<const uint4*>(from) : none;
#endif
}
__device__ inline void arrive() {
#if defined(PODIUM_ON_CUDA)
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  __syncthreads();
}

// Eight elements in a row of a tile in shared memory. Chunks are permuted so that those of eight rows lie in
// different banks.
template <int head_dim>
__device__ real* chunk(real* tile, int row, int column) {
  return tile + row * head_dim + (column / eight ^ row % eight) * eight;
}

struct alignas(16) Eight {
  real at[eight];
};

template <class T>
__device__ void widen(const T* from, float (&to)[eight]) {
  struct alignas(eight * sizeof(T)) Packet {
    T at[eight];
  };
  const Packet packet = *reinterpret_cast<const Packet*>(from);
#pragma unroll
  for (int n = 0; n < eight; ++n) to[n] = podium::cast<float>(packet.at[n]);
}
__device__ inline void put(real* to, const float (&numbers)[eight]) {
  Eight packet;
#pragma unroll
  for (int n = 0; n < eight; ++n) packet.at[n] = podium::cast<real>(numbers[n]);
  *reinterpret_cast<Eight*>(to) = packet;
}

template <int head_dim>
__device__ float frequency(int pair) {
  return powf(10000.0f, -2.0f * float(pair) / float(head_dim));
}

// Chunks d and d + head_dim / 2 of a row, turned by its position, to a row of a tile.
template <int head_dim, class T>
__device__ void turn(real* tile, int row, int d, const T* from, const float* frequencies, float position) {
  float low[eight], high[eight];
  widen(from + d, low);
  widen(from + d + head_dim / 2, high);
#pragma unroll
  for (int n = 0; n < eight; ++n) {
    const float angle = position * frequencies[d + n], c = cosf(angle), s = sinf(angle), x = low[n],
                y = high[n];
    low[n] = x * c - y * s;
    high[n] = y * c + x * s;
  }
  put(chunk<head_dim>(tile, row, d), low);
  put(chunk<head_dim>(tile, row, d + head_dim / 2), high);
}

// Soft cap and ALiBi. tanh x = 1 - 2 / (1 + e^2x).
template <class A>
__device__ float changed(const A& a, int head, int i, int j, float scaled) {
  if constexpr (Variants<A>) {
    if (a.soft_cap > 0)
      scaled = a.soft_cap * (1 - __fdividef(2.0f, 1 + power_of_two(scaled * (2 * log2_e / a.soft_cap))));
    if (a.alibi != 0) scaled += a.slope.data[head] * float(j - i);
  }
  return scaled;
}

template <class A>
__device__ bool changes(const A& a) {
  if (score_scale(a) <= 0) return true;  // the largest product has not the largest score
  if constexpr (Variants<A>)
    return a.soft_cap > 0 || a.alibi != 0;
  else
    return false;
}

// Adds the sink; writes the lse if told to; returns what the sums are multiplied by.
__device__ inline float finish(const problem::Arguments& a, std::int64_t row, std::int64_t head, State state,
                               bool writes) {
  float scale = 1;
  if (has_sinks(a)) {
    const float own = sink(a, head) * log2_e, higher = fmaxf(state.peak, own);
    scale = power_of_two(state.peak - higher);
    state = {higher, state.total * scale + power_of_two(own - higher)};
  }
  if (writes) put_lse(a, row, head, state.peak / log2_e, state.total);
  return state.total > 0 ? scale * value_scale(a) / state.total : 0;
}

// What a block works on.
template <class S>
struct Block {
  const problem::Arguments& a;
  const Plan& plan;
  const Item item;
  const int head, kv_head;       // its first head
  int first_row = 0, shift = 0;  // of its request; from a query's number among these to its position
  int window = -1;
  bool causal = false;

  __device__ Block(const problem::Arguments& arguments, const Plan& p, const Item& own, int first_head)
      : a(arguments),
        plan(p),
        item(own),
        head(first_head),
        kv_head(first_head / (int(arguments.heads) / int(arguments.kv_heads))) {
    if (item.request == shared_prefix) return;
    const Request r = request(a, item.request);
    first_row = int(r.first_row);
    shift = int(r.position(0));
    causal = attention::causal(a);
    window = int(window_left(a));
  }

  __device__ bool exists(int row) const { return row < item.queries * plan.packed; }
  __device__ int row_of(int row) const { return item.row + row / plan.packed; }
  __device__ int head_of(int row) const { return head + row % plan.packed; }
  __device__ int query_of(int row) const { return row_of(row) - first_row; }
  __device__ int position(int row) const { return query_of(row) + shift; }

  // Keys of the stretch that a row sees.
  __device__ int first(int row) const { return window < 0 ? 0 : position(row) - window; }
  __device__ int end(int row) const { return causal ? min(item.end, position(row) + 1) : item.end; }
  __device__ bool needs_mask(int key) const {
    return key + S::keys > end(0) || key < first(item.queries * plan.packed - 1);
  }

  __device__ void load_queries(real* tile, const float* frequencies) const {
    constexpr int chunks = S::head_dim / eight;
    if (frequencies != nullptr) {
      for (int c = int(threadIdx.x); c < S::rows * chunks / 2; c += S::threads) {
        const int row = c / (chunks / 2), d = c % (chunks / 2) * eight;
        if (exists(row))
          turn<S::head_dim>(tile, row, d, query(a, row_of(row), head_of(row)), frequencies,
                            float(position(row)));
      }
    } else {
      for (int c = int(threadIdx.x); c < S::rows * chunks; c += S::threads) {
        const int row = c / chunks, d = c % chunks * eight, from = exists(row) ? row : 0;
        copy(chunk<S::head_dim>(tile, row, d), query(a, row_of(from), head_of(from)) + d, exists(row));
      }
    }
  }

  // Where key `key` + threadIdx.x lies.
  __device__ int find(int key) const {
    const int j = key + int(threadIdx.x);
    return j < item.end ? int(slot(a, item.request, j)) : 0;
  }

  // Of the first kv head's elements `all`, S::keys rows from key `key` on; `thread` is this one.
  __device__ void load(real* tile, const Key* all, const int* slots, int key, int thread) const {
    constexpr int chunks = S::head_dim / eight;
    const Key* const own = all + kv_head * S::head_dim;
#pragma unroll
    for (int n = 0; n < podium::ceil_div(S::keys * chunks, S::threads); ++n) {
      const int c = thread + n * S::threads, row = c / chunks, d = c % chunks * eight;
      if (S::keys * chunks % S::threads != 0 && row >= S::keys) continue;
      const Key* const from = own + std::int64_t(slots[row]) * a.kv_heads * S::head_dim + d;
      real* const to = chunk<S::head_dim>(tile, row, d);
      if constexpr (std::is_same_v<Key, real>) {
        copy(to, from, key + row < item.end);
      } else {
        float numbers[eight] = {};
        if (key + row < item.end) widen(from, numbers);
        put(to, numbers);
      }
    }
  }
  __device__ void load_turned(real* tile, const Key* all, const int* slots, const float* frequencies,
                              int key) const {
    constexpr int chunks = S::head_dim / eight;
    for (int c = int(threadIdx.x); c < S::keys * chunks / 2; c += S::threads) {
      const int row = c / (chunks / 2), d = c % (chunks / 2) * eight;
      turn<S::head_dim>(tile, row, d, all + (std::int64_t(slots[row]) * a.kv_heads + kv_head) * S::head_dim,
                        frequencies, float(key + row));
    }
  }
};

// Of a warp's rows.
template <class S>
struct Softmax {
  static constexpr int columns = S::head_dim / matrix::side, key_tiles = S::own_keys / matrix::side;
  static constexpr int slots = matrix::rows_held;

  float peak[S::row_tiles][slots], total[S::row_tiles][slots];
  matrix::Sums out[S::row_tiles][columns];
  float factor;  // from a score to base 2

  __device__ explicit Softmax(float f) : factor(f) {
#pragma unroll
    for (int m = 0; m < S::row_tiles; ++m) {
#pragma unroll
      for (int s = 0; s < slots; ++s) peak[m][s] = -INFINITY, total[m][s] = 0;
#pragma unroll
      for (int c = 0; c < columns; ++c) out[m][c] = {};
    }
  }

  // From scores to weights.
  __device__ void weigh(matrix::Sums (&score)[S::row_tiles][key_tiles]) {
#pragma unroll
    for (int m = 0; m < S::row_tiles; ++m)
#pragma unroll
      for (int s = 0; s < slots; ++s) {
        float higher = peak[m][s];
        each_of_row(score[m], s, [&](float& x) { higher = fmaxf(higher, x); });
        higher = matrix::across_row(higher, [](float x, float y) { return fmaxf(x, y); });
        const float base = higher == -INFINITY ? 0.0f : higher * factor;
        const float scale = power_of_two(peak[m][s] * factor - base);
        peak[m][s] = higher;
        total[m][s] *= scale;
        each_of_row(out[m], s, [&](float& x) { x *= scale; });
        each_of_row(score[m], s, [&](float& x) {
          x = power_of_two(x * factor - base);
          total[m][s] += x;
        });
      }
  }

  template <int count, class Body>
  static __device__ void each_of_row(matrix::Sums (&tiles)[count], int s, Body body) {
#pragma unroll
    for (int c = 0; c < count; ++c)
#pragma unroll
      for (int n = 0; n < matrix::held; ++n)
        if (matrix::row_slot(n) == s) body(tiles[c].at[n]);
  }

  __device__ State state(int m, int s) const {
    return {peak[m][s] * factor, matrix::across_row(total[m][s], [](float x, float y) { return x + y; })};
  }
};

// The rows of one warp, from its registers: whole ones by way of shared memory, in 16 bytes.
template <class S>
__device__ void put_rows(const Block<S>& block, Softmax<S>& softmax, real* tile, int first_row) {
  const problem::Arguments& a = block.a;
  const int lane = int(threadIdx.x) % matrix::lanes;
#pragma unroll
  for (int m = 0; m < S::row_tiles; ++m)
#pragma unroll
    for (int s = 0; s < matrix::rows_held; ++s) {
      const int row = first_row + m * matrix::side + matrix::row_of_slot(lane, s);
      const State state = softmax.state(m, s);
      const bool exists = block.exists(row), writes = exists && matrix::column(lane, 0) == 0;
      const std::int64_t r = block.row_of(exists ? row : 0), h = block.head_of(exists ? row : 0);
      float* sums = nullptr;
      float scale = 0;
      if (block.item.part == whole) {
        scale = finish(a, r, h, state, writes);
      } else {
        const std::int64_t place = block.plan.place(r, a.heads, h, block.item.part);
        if (writes) block.plan.states[place] = state;
        sums = block.plan.sums + place * S::head_dim;
      }
#pragma unroll
      for (int c = 0; c < S::head_dim / matrix::side; ++c)
#pragma unroll
        for (int n = 0; n < matrix::held; ++n) {
          if (matrix::row_slot(n) != s) continue;
          const int d = c * matrix::side + matrix::column(lane, n);
          if (sums == nullptr)
            chunk<S::head_dim>(tile, row, d)[d % eight] = podium::cast<real>(softmax.out[m][c].at[n] * scale);
          else if (exists)
            sums[d] = softmax.out[m][c].at[n];
        }
    }
  if (block.item.part != whole) return;
  __syncwarp();
  constexpr int chunks = S::head_dim / eight;
  for (int c = lane; c < S::warp_rows * chunks; c += matrix::lanes) {
    const int row = first_row + c / chunks, d = c % chunks * eight;
    if (block.exists(row))
      *reinterpret_cast<Eight*>(result(a, block.row_of(row), block.head_of(row)) + d) =
          *reinterpret_cast<const Eight*>(chunk<S::head_dim>(tile, row, d));
  }
}

// Joins the sums of warps that shared the keys of the same rows; of this one's, which begin at `first_row`.
template <class S>
__device__ void put_joined(const Block<S>& block, Softmax<S>& softmax, float* sums, int first_row) {
  __shared__ State states[S::key_warps][S::rows];
  const problem::Arguments& a = block.a;
  const int lane = int(threadIdx.x) % matrix::lanes, warp = int(threadIdx.x) / matrix::lanes;
  const int sharer = warp % S::key_warps;
#pragma unroll
  for (int m = 0; m < S::row_tiles; ++m)
#pragma unroll
    for (int s = 0; s < matrix::rows_held; ++s) {
      const int row = first_row + m * matrix::side + matrix::row_of_slot(lane, s);
      const State state = softmax.state(m, s);
      if (matrix::column(lane, 0) == 0) states[sharer][row] = state;
#pragma unroll
      for (int c = 0; c < S::head_dim / matrix::side; ++c)
#pragma unroll
        for (int n = 0; n < matrix::held; ++n)
          if (matrix::row_slot(n) == s)
            sums[(sharer * S::rows + row) * S::head_dim + c * matrix::side + matrix::column(lane, n)] =
                softmax.out[m][c].at[n];
    }
  __syncthreads();
  for (int row = warp; row < S::rows && block.exists(row); row += S::warps) {
    State joined{-INFINITY, 0};
    float scale[S::key_warps];
    for (int w = 0; w < S::key_warps; ++w) joined.peak = fmaxf(joined.peak, states[w][row].peak);
    for (int w = 0; w < S::key_warps; ++w) {
      scale[w] = joined.peak == -INFINITY ? 0.0f : power_of_two(states[w][row].peak - joined.peak);
      joined.total += scale[w] * states[w][row].total;
    }
    const std::int64_t r = block.row_of(row), h = block.head_of(row);
    const std::int64_t place = block.plan.place(r, a.heads, h, block.item.part);
    float factor = 0;
    if (block.item.part == whole)
      factor = finish(a, r, h, joined, lane == 0);
    else if (lane == 0)
      block.plan.states[place] = joined;
    for (int d = lane; d < S::head_dim; d += matrix::lanes) {
      float sum = 0;
      for (int w = 0; w < S::key_warps; ++w) sum += scale[w] * sums[(w * S::rows + row) * S::head_dim + d];
      if (block.item.part == whole)
        result(a, r, h)[d] = podium::cast<real>(sum * factor);
      else
        block.plan.sums[place * S::head_dim + d] = sum;
    }
  }
}

template <class S>
__global__ void __launch_bounds__(S::threads, S::blocks) attend(problem::Arguments a, Plan plan) {
  PODIUM_DYNAMIC_SHARED(real, queries);
  __shared__ int slots[2][S::keys];
  __shared__ float turns[S::head_dim / 2];
  real* const keys = queries + S::rows * S::head_dim;
  real* const values = keys + S::keys * S::head_dim;
  const int groups = int(a.heads) / plan.packed;
  const Block<S> block(a, plan, plan.items[int(blockIdx.x) / groups], int(blockIdx.x) % groups * plan.packed);
  const Item& item = block.item;
  const int lane = int(threadIdx.x) % matrix::lanes, warp = int(threadIdx.x) / matrix::lanes;
  const int first_row = warp / S::key_warps * S::warp_rows, first_key = warp % S::key_warps * S::own_keys;
  const bool changed_scores = changes(a), rope = has_rope(a);
  const bool seeks = int(threadIdx.x) < S::keys;
  const float* const frequencies = rope ? turns : nullptr;

  if (rope)
    for (int d = int(threadIdx.x); d < S::head_dim / 2; d += S::threads) turns[d] = frequency<S::head_dim>(d);
  if (seeks) slots[0][threadIdx.x] = block.find(item.begin);
  __syncthreads();
  const auto load_keys = [&](int first, int buffer) {
    if (rope)
      block.load_turned(keys, key(a, 0, 0), slots[buffer], frequencies, first);
    else
      block.load(keys, key(a, 0, 0), slots[buffer], first, int(threadIdx.x) + unknown_zero());
  };
  block.load_queries(queries, frequencies);
  if (item.begin < item.end) load_keys(item.begin, 0);

  Softmax<S> softmax(changed_scores ? log2_e : score_scale(a) * log2_e);
  int buffer = 0;
  for (int at = item.begin; at < item.end; at += S::keys, buffer ^= 1) {
    arrive();  // keys; the values before these have been used
    const int zero = unknown_zero();
    block.load(values, value(a, 0, 0), slots[buffer], at, int(threadIdx.x) + zero);
    const int next = seeks ? block.find(at + S::keys) : 0;

    matrix::Sums score[S::row_tiles][Softmax<S>::key_tiles] = {};
#pragma unroll
    for (int d = 0; d < S::head_dim; d += matrix::side) {
      matrix::Left<real> q[S::row_tiles];
#pragma unroll
      for (int m = 0; m < S::row_tiles; ++m)
        q[m] = matrix::load_left<real>([&](int r, int c) {
          return chunk<S::head_dim>(queries, zero + first_row + m * matrix::side + r, d + c);
        });
#pragma unroll
      for (int t = 0; t < Softmax<S>::key_tiles; ++t) {
        const auto k = matrix::load_columns<real>([&](int r, int c) {
          return chunk<S::head_dim>(keys, zero + first_key + t * matrix::side + r, d + c);
        });
#pragma unroll
        for (int m = 0; m < S::row_tiles; ++m) matrix::multiply_add(q[m], k, score[m][t]);
      }
    }

    const bool masked = block.needs_mask(at);
    if (changed_scores || masked)
#pragma unroll
      for (int m = 0; m < S::row_tiles; ++m)
#pragma unroll
        for (int s = 0; s < matrix::rows_held; ++s) {
          const int row = first_row + m * matrix::side + matrix::row_of_slot(lane, s);
          const int first = block.first(row), end = block.end(row);
          const int head = block.exists(row) ? block.head_of(row) : 0, i = block.query_of(row);
#pragma unroll
          for (int t = 0; t < Softmax<S>::key_tiles; ++t)
#pragma unroll
            for (int n = 0; n < matrix::held; ++n) {
              if (matrix::row_slot(n) != s) continue;
              const int j = at + first_key + t * matrix::side + matrix::column(lane, n);
              float& x = score[m][t].at[n];
              if (changed_scores) x = changed(a, head, i, j, x * score_scale(a));
              if (j < first || j >= end) x = -INFINITY;
            }
        }

    if (seeks) slots[buffer ^ 1][threadIdx.x] = next;
    arrive();  // values; the keys have been used
    if (at + S::keys < item.end) load_keys(at + S::keys, buffer ^ 1);

    softmax.weigh(score);
#pragma unroll
    for (int t = 0; t < Softmax<S>::key_tiles; ++t) {
      matrix::Left<real> weights[S::row_tiles];
#pragma unroll
      for (int m = 0; m < S::row_tiles; ++m) weights[m] = matrix::rounded<real>(score[m][t]);
#pragma unroll
      for (int c = 0; c < Softmax<S>::columns; ++c) {
        const auto v = matrix::load_rows<real>([&](int r, int d) {
          return chunk<S::head_dim>(values, zero + first_key + t * matrix::side + r, c * matrix::side + d);
        });
#pragma unroll
        for (int m = 0; m < S::row_tiles; ++m) matrix::multiply_add(weights[m], v, softmax.out[m][c]);
      }
    }
  }
  arrive();  // all have used the tiles, and where there was no key the queries are there
  if constexpr (S::key_warps > 1)
    put_joined(block, softmax, reinterpret_cast<float*>(queries), first_row);
  else
    put_rows(block, softmax, queries, first_row);
}

// One block a row and head that has parts; groups of threads share them.
constexpr int join_block = 256, join_width = 4;
template <int head_dim>
__global__ void __launch_bounds__(join_block) join(problem::Arguments a, Plan plan) {
  constexpr int columns = head_dim / join_width, teams = join_block / columns;
  __shared__ State states[most_parts];
  __shared__ float sums[teams][head_dim];
  const std::int64_t row = blockIdx.x / a.heads, head = blockIdx.x % a.heads;
  const int count = plan.counts[row], team = int(threadIdx.x) / columns,
            d = int(threadIdx.x) % columns * join_width;
  if (count < 2) return;
  const std::int64_t place = plan.place(row, a.heads, head, 0);
  for (int p = int(threadIdx.x); p < count; p += join_block) states[p] = plan.states[place + p];
  __syncthreads();
  State joined{-INFINITY, 0};
  for (int p = 0; p < count; ++p) joined.peak = fmaxf(joined.peak, states[p].peak);
  const float base = joined.peak == -INFINITY ? 0.0f : joined.peak;
  for (int p = 0; p < count; ++p) joined.total += power_of_two(states[p].peak - base) * states[p].total;
  float sum[join_width] = {};
#pragma unroll 4
  for (int p = team; p < count; p += teams) {
    const float scale = power_of_two(states[p].peak - base);
    const float4 part = *reinterpret_cast<const float4*>(plan.sums + (place + p) * head_dim + d);
    sum[0] += scale * part.x;
    sum[1] += scale * part.y;
    sum[2] += scale * part.z;
    sum[3] += scale * part.w;
  }
#pragma unroll
  for (int n = 0; n < join_width; ++n) sums[team][d + n] = sum[n];
  const float factor = finish(a, row, head, joined, threadIdx.x == 0);
  __syncthreads();
  for (int e = int(threadIdx.x); e < head_dim; e += join_block) {
    float all = 0;
    for (int t = 0; t < teams; ++t) all += sums[t][e];
    result(a, row, head)[e] = podium::cast<real>(all * factor);
  }
}

static __global__ void copy_plan(const int* from, int* to, int count) {
  for (int n = int(blockIdx.x * blockDim.x + threadIdx.x); n < count; n += int(gridDim.x * blockDim.x))
    to[n] = from[n];
}

// Tiles of one shape: their rows fit it, and `least` keys or more make a stretch where about `blocks` are
// wanted.
struct Tiling {
  int rows, blocks, least;
};

template <class W>
class Planner {
 public:
  Planner(const W& w, int packed_heads) : w_(w), packed_(packed_heads), counts_(std::size_t(rows<true>(w))) {}

  // Each request's own keys.
  std::vector<Item> requests(const Tiling& tiling) {
    std::vector<Item> tiles;
    for (std::int64_t b = 0; b < w_.batch; ++b) {
      const Request r = request<true>(w_, b);
      std::int64_t prefix = 0;
      if constexpr (Prefixed<W>) prefix = w_.prefix;
      const std::int64_t each = tiling.rows / packed_;
      for (std::int64_t i = 0; i < r.queries; i += each) {
        const std::int64_t count = std::min(each, r.queries - i), end = end_of_keys(w_, r, i + count - 1);
        tiles.push_back({int(r.first_row + i), int(count), int(b), int(std::max(prefix, first_key(w_, r, i))),
                         int(std::min(r.keys, end)), 0});
      }
    }
    return cut(tiles, tiling);
  }

  // The keys that all requests share.
  std::vector<Item> prefix(const Tiling& tiling) {
    std::vector<Item> tiles;
    if constexpr (Prefixed<W>) {
      const std::int64_t each = tiling.rows / packed_;
      for (std::int64_t row = 0; row < w_.batch; row += each)
        tiles.push_back({int(row), int(std::min(each, w_.batch - row)), shared_prefix, 0, int(w_.prefix), 0});
    }
    return cut(tiles, tiling);
  }

  const std::vector<int>& counts() const { return counts_; }
  int most() const { return counts_.empty() ? 0 : *std::max_element(counts_.begin(), counts_.end()); }
  void mark_whole(std::vector<Item>& items) const {
    for (Item& item : items)
      if (counts_[std::size_t(item.row)] == 1) item.part = whole;
  }

 private:
  std::vector<Item> cut(const std::vector<Item>& tiles, const Tiling& tiling) {
    constexpr std::int64_t unit = 64;
    std::int64_t work = 0, longest = 0;
    for (const Item& tile : tiles) {
      work += std::max(0, tile.end - tile.begin) * (w_.heads / packed_);
      longest = std::max<std::int64_t>(longest, tile.end - tile.begin);
    }
    const std::int64_t stretch = std::max<std::int64_t>(
        {tiling.least, podium::ceil_div(work, tiling.blocks), podium::ceil_div(longest, most_parts / 2)});
    std::vector<Item> items;
    for (const Item& tile : tiles) {
      const std::int64_t keys = std::max(0, tile.end - tile.begin);
      const std::int64_t parts = std::max<std::int64_t>(1, podium::ceil_div(keys, stretch));
      const std::int64_t each = podium::ceil_div(podium::ceil_div(keys, parts), unit) * unit;
      int begin = tile.begin;
      do {
        Item item = tile;
        item.begin = begin;
        item.end = int(std::min<std::int64_t>(tile.end, begin + each));
        item.part = counts_[std::size_t(tile.row)];
        for (int n = 0; n < tile.queries; ++n) ++counts_[std::size_t(tile.row + n)];
        items.push_back(item);
        begin = item.end;
      } while (begin < tile.end);
    }
    std::stable_sort(items.begin(), items.end(),
                     [](const Item& x, const Item& y) { return x.end - x.begin > y.end - y.begin; });
    return items;
  }

  const W& w_;
  int packed_;
  std::vector<int> counts_;
};

// The heads of a group that share tiles: all of them, or a part that a tile of 16 rows can hold.
inline int packed_heads(std::int64_t group) {
  int heads = int(std::min<std::int64_t>(group, matrix::side));
  while (group % heads != 0) --heads;
  return heads;
}

using Kernel = void (*)(problem::Arguments, Plan);

// One launch of a shape.
struct Pass {
  Kernel kernel = nullptr;
  int warps = 0, shared_bytes = 0;
  Tiling tiling{};
  std::vector<Item> items;
  const Item* on_device = nullptr;

  template <class S>
  static Pass of(int blocks, int least) {
    podium::allow_shared(attend<S>, S::shared_bytes);
    return {attend<S>, S::warps, S::shared_bytes, {S::rows, blocks, least}, {}, nullptr};
  }
};

#if defined(PODIUM_ON_HIP)  // blocks have 64 KiB of shared memory there, not 227
template <int head_dim>
using Few = Shape<head_dim, 1, 1, 2, 32, 1>;
template <int head_dim>
using Several = Shape<head_dim, 1, 2, head_dim == 256 ? 1 : 2, head_dim == 256 ? 16 : 64, 1>;
template <int head_dim>
using Some = Shape<head_dim, 1, 4, 1, head_dim == 256 ? 16 : 64, 1>;
template <int head_dim>
using Many = Some<head_dim>;
#else
template <int head_dim>
using Few = Shape<head_dim, 1, 1, 4, 64, head_dim == 256 ? 2 : 4>;
template <int head_dim>
using Several = Shape<head_dim, 1, 2, 2, 64, head_dim == 256 ? 2 : 3>;
template <int head_dim>
using Some = Shape<head_dim, 1, 4, 1, 64, head_dim == 256 ? 2 : 3>;
template <int head_dim>
using Many = Shape<head_dim, head_dim == 256 ? 1 : 2, 4, 1, 64, 2>;
#endif

// For tiles of `rows` rows in the mean.
template <int head_dim>
Pass pass_for(std::int64_t rows) {
  if (rows <= matrix::side) return Pass::of<Few<head_dim>>(2048, 128);
  if (rows <= Several<head_dim>::rows) return Pass::of<Several<head_dim>>(2048, 128);
  if (rows <= Some<head_dim>::rows) return Pass::of<Some<head_dim>>(1024, 256);
  return Pass::of<Many<head_dim>>(512, 512);
}
inline Pass pass_for(const problem::Workload& w, std::int64_t rows) {
  if (w.head_dim == 64) return pass_for<64>(rows);
  if (w.head_dim == 128) return pass_for<128>(rows);
  return pass_for<256>(rows);
}

struct Contestant {
  Plan plan{};
  std::vector<Pass> passes;
  int lanes = matrix::device_lanes();

  Contestant(const problem::Workload& w, podium::Workspace& workspace, podium::Stream stream) {
    const std::int64_t count = rows<true>(w);
    if (count == 0) return;
    plan.packed = packed_heads(w.heads / w.kv_heads);
    Planner planner(w, plan.packed);
    if constexpr (Prefixed<problem::Workload>) {
      passes.push_back(pass_for(w, w.batch * plan.packed));
      passes.back().items = planner.prefix(passes.back().tiling);
    }
    passes.push_back(pass_for(w, podium::ceil_div(count, w.batch) * plan.packed));
    passes.back().items = planner.requests(passes.back().tiling);

    for (Pass& pass : passes) {
      planner.mark_whole(pass.items);
      pass.on_device = to_device(pass.items, workspace, stream);
    }
    plan.parts = planner.most();
    if (plan.parts == 1) return;
    plan.counts = to_device(planner.counts(), workspace, stream);
    const auto places = std::size_t(count * w.heads * plan.parts);
    plan.sums = workspace.device<float>(places * std::size_t(w.head_dim));
    plan.states = workspace.device<State>(places);
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    for (const Pass& pass : passes) {
      if (pass.items.empty()) continue;
      plan.items = pass.on_device;
      const auto blocks = std::int64_t(pass.items.size()) * (args.heads / plan.packed);
      podium::launch(pass.kernel, dim3(unsigned(blocks)), dim3(unsigned(pass.warps * lanes)),
                     std::size_t(pass.shared_bytes), stream, args, plan);
    }
    if (plan.parts < 2) return;
    const auto blocks = dim3(unsigned(rows<true>(args) * args.heads));
    const auto kernel = args.head_dim == 64 ? join<64> : args.head_dim == 128 ? join<128> : join<256>;
    podium::launch(kernel, blocks, dim3(join_block), 0, stream, args, plan);
  }

  template <class T>
  static const T* to_device(const std::vector<T>& from, podium::Workspace& workspace, podium::Stream stream) {
    if (from.empty()) return nullptr;
    T* const pinned = workspace.pinned<T>(from.size());
    T* const there = workspace.device<T>(from.size());
    std::copy(from.begin(), from.end(), pinned);
    static_assert(sizeof(T) % sizeof(int) == 0);
    podium::launch(copy_plan, dim3(64), dim3(128), 0, stream, reinterpret_cast<const int*>(pinned),
                   reinterpret_cast<int*>(there), int(from.size() * sizeof(T) / sizeof(int)));
    return there;
  }
};

}  // namespace attention::flash
