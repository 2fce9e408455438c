// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Flash attention over latent vectors, matrix cores
//   author: Podium
//   arch: [sm_80+, gfx942, gfx950, gfx1200, gfx1201]

// A block has the heads of a request, or some of them, as rows, and a stretch of its keys, which come to
// shared memory in tiles: a latent vector, once for both products, and its rotated part behind it. Warps
// share the scores of a tile, leave the weights in shared memory, and then share the elements of the sums.
// Where requests are too few to keep a device busy, a second launch joins the sums of several stretches.
#include <podium/mla_decode.hpp>

#include "../attention_prefill/flash_copy.hpp"
#include "../attention_prefill/flash_launch.hpp"

namespace {
using namespace attention::flash;
using problem::latent_dim, problem::real, problem::rope_dim;
constexpr int width = latent_dim + rope_dim;

// Of `row_tiles` times 16 rows and `keys` keys, by `warps` warps.
template <int row_tiles_, int warps_, int keys_, int buffers_>
struct Shape {
  static constexpr int row_tiles = row_tiles_, warps = warps_, keys = keys_, buffers = buffers_;
  static constexpr int rows = row_tiles * matrix::side, threads = warps * matrix::lanes;
  static constexpr int sharers = warps / row_tiles;  // warps that have the scores of the same rows
  static constexpr int key_tiles = keys / sharers / matrix::side;         // of a warp
  static constexpr int columns = int(latent_dim) / warps / matrix::side;  // tiles of a warp's sums
  static constexpr int pitch = 64;                                        // of the weights' rows
  static constexpr int shared_elements = rows * width + buffers * keys * width + rows * pitch;
  static constexpr int shared_bytes = shared_elements * int(sizeof(real));
  static_assert(sharers * row_tiles == warps && sharers * key_tiles * matrix::side == keys && keys <= pitch);
};

// Rows of queries, of heads from `head` on.
template <class S>
__device__ void load_queries(const problem::Arguments& a, const Plan& plan, const Item& item, int head,
                             real* tile) {
  constexpr int chunks = width / chunk_width;
  for (int c = int(threadIdx.x); c < S::rows * chunks; c += S::threads) {
    const int row = c / chunks, d = c % chunks * chunk_width;
    const bool exists = row < plan.packed;
    const std::int64_t from = std::int64_t(item.row) * a.heads + head + (exists ? row : 0);
    copy(chunk<width>(tile, row, d),
         d < latent_dim ? a.q_nope.data + from * latent_dim + d
                        : a.q_pe.data + from * rope_dim + (d - latent_dim),
         exists);
  }
}

// The slot of key `first` + threadIdx.x.
__device__ int find(const problem::Arguments& a, const Item& item, int first) {
  const int j = first + int(threadIdx.x);
  return j < item.end ? int(attention::slot(a, item.request, j)) : 0;
}

// Keys from `first` on, which lie in `slots`.
template <class S>
__device__ void load_keys(const problem::Arguments& a, const Item& item, const int* slots, int first,
                          real* tile) {
  constexpr int chunks = width / chunk_width;
#pragma unroll 6
  for (int c = int(threadIdx.x); c < S::keys * chunks; c += S::threads) {
    const int key = c / chunks, d = c % chunks * chunk_width;
    const std::int64_t slot = slots[key];
    copy(
        chunk<width>(tile, key, d),
        d < latent_dim ? a.ckv.data + slot * latent_dim + d : a.kpe.data + slot * rope_dim + (d - latent_dim),
        first + key < item.end);
  }
}

// The largest score, or the sum of weights, of each row, from each of the warps that share its keys.
template <class S>
using Shares = float[S::sharers][S::rows];

template <class S>
__device__ float over_sharers(const Shares<S>& shares, int row, float start, float (*combine)(float, float)) {
#pragma unroll
  for (int w = 0; w < S::sharers; ++w) start = combine(start, shares[w][row]);
  return start;
}
__device__ inline float larger(float x, float y) { return fmaxf(x, y); }
__device__ inline float sum(float x, float y) { return x + y; }
__device__ inline float finite(float peak) { return peak == -INFINITY ? 0.0f : peak; }

// Puts the sums of this warp's columns, or their part.
template <class S>
__device__ void put(const problem::Arguments& a, const Plan& plan, const Item& item, std::int64_t head,
                    int row, State state, const matrix::Sums (&out)[S::columns], int slot, int first_column,
                    bool first_warp) {
  const int lane = int(threadIdx.x) % matrix::lanes;
  if (row >= plan.packed) return;
  const bool whole_row = item.part == whole, writes = first_warp && matrix::column(lane, 0) == 0;
  const std::int64_t place = plan.place(item.row, a.heads, head + row, item.part);
  const float scale = whole_row ? finish(a, item.row, head + row, state, writes) : 1.0f;
  if (!whole_row && writes) plan.states[place] = state;
#pragma unroll
  for (int c = 0; c < S::columns; ++c)
#pragma unroll
    for (int n = 0; n < matrix::held; n += 2) {  // two numbers side by side
      if (matrix::row_slot(n) != slot) continue;
      const int d = (first_column + c) * matrix::side + matrix::column(lane, n);
      const float x = out[c].at[n] * scale, y = out[c].at[n + 1] * scale;
      if (whole_row)
        *reinterpret_cast<unsigned*>(attention::result(a, item.row, head + row) + d) =
            matrix::pair_of<real>(x, y);
      else
        *reinterpret_cast<float2*>(plan.sums + place * latent_dim + d) = make_float2(x, y);
    }
}

template <class S>
__global__ void __launch_bounds__(S::threads, 1) decode(problem::Arguments a, Plan plan) {
  PODIUM_DYNAMIC_SHARED(real, queries);
  __shared__ Shares<S> peaks, totals;
  __shared__ int slots[2][S::keys];  // of this tile's keys, and of the next one's
  real* const keys = queries + S::rows * width;
  real* const weights = keys + S::buffers * S::keys * width;
  const int groups = int(a.heads) / plan.packed;
  const Item item = plan.items[int(blockIdx.x) / groups];
  const int head = int(blockIdx.x) % groups * plan.packed;
  const int lane = int(threadIdx.x) % matrix::lanes, warp = int(threadIdx.x) / matrix::lanes;
  // This warp's scores, of rows from own_row and keys from own_key on; and its sums, of columns from
  // own_column on.
  const int own_row = warp % S::row_tiles * matrix::side, sharer = warp / S::row_tiles;
  const int own_key = sharer * S::key_tiles * matrix::side, own_column = warp * S::columns;
  const float scale = a.sm_scale * attention::log2_e;

  load_queries<S>(a, plan, item, head, queries);
  const bool seeks = int(threadIdx.x) < S::keys;
  if (seeks)
    slots[0][threadIdx.x] = find(a, item, item.begin),
    slots[1][threadIdx.x] = find(a, item, item.begin + S::keys);
  __syncthreads();
  if (item.begin < item.end) load_keys<S>(a, item, slots[0], item.begin, keys);

  // Of this lane's rows of all tiles; of those of its scores.
  float peak[S::row_tiles][matrix::rows_held], own_peak[matrix::rows_held], total[matrix::rows_held] = {};
  matrix::Sums out[S::row_tiles][S::columns] = {};
#pragma unroll
  for (int s = 0; s < matrix::rows_held; ++s) {
    own_peak[s] = -INFINITY;
#pragma unroll
    for (int m = 0; m < S::row_tiles; ++m) peak[m][s] = -INFINITY;
  }

  int turn = 0;
  for (int at = item.begin; at < item.end; at += S::keys, ++turn) {
    arrive();  // the tile; the one before has been used
    const int zero = unknown_zero();
    real* const tile = keys + turn % S::buffers * S::keys * width;
    const auto load_next = [&] {
      if (at + S::keys < item.end)
        load_keys<S>(a, item, slots[(turn + 1) % 2], at + S::keys,
                     keys + (turn + 1) % S::buffers * S::keys * width);
    };
    if (S::buffers > 1) load_next();
    if (seeks) slots[turn % 2][threadIdx.x] = find(a, item, at + 2 * S::keys);

    matrix::Sums score[S::key_tiles] = {};
#pragma unroll 4
    for (int d = 0; d < width; d += matrix::side) {
      const auto q = matrix::load_left<real>(
          [&](int r, int c) { return chunk<width>(queries, zero + own_row + r, d + c); });
#pragma unroll
      for (int t = 0; t < S::key_tiles; ++t)
        matrix::multiply_add(q, matrix::load_columns<real>([&](int r, int c) {
                               return chunk<width>(tile, zero + own_key + t * matrix::side + r, d + c);
                             }),
                             score[t]);
    }

#pragma unroll
    for (int s = 0; s < matrix::rows_held; ++s) {
      float highest = -INFINITY;
#pragma unroll
      for (int t = 0; t < S::key_tiles; ++t)
#pragma unroll
        for (int n = 0; n < matrix::held; ++n) {
          if (matrix::row_slot(n) != s) continue;
          const int j = at + own_key + t * matrix::side + matrix::column(lane, n);
          float& x = score[t].at[n];
          x = j < item.end ? x * scale : -INFINITY;
          highest = fmaxf(highest, x);
        }
      highest = matrix::across_row(highest, larger);
      if (matrix::column(lane, 0) == 0) peaks[sharer][own_row + matrix::row_of_slot(lane, s)] = highest;
    }
    __syncthreads();  // all have their largest scores

#pragma unroll
    for (int s = 0; s < matrix::rows_held; ++s) {
      const int row = own_row + matrix::row_of_slot(lane, s);
      const float higher = over_sharers<S>(peaks, row, own_peak[s], larger);
      total[s] *= power_of_two(own_peak[s] - finite(higher));
      own_peak[s] = higher;
#pragma unroll
      for (int t = 0; t < S::key_tiles; ++t)
#pragma unroll
        for (int n = 0; n < matrix::held; n += 2) {  // two numbers side by side
          if (matrix::row_slot(n) != s) continue;
          const float x = power_of_two(score[t].at[n] - finite(higher)),
                      y = power_of_two(score[t].at[n + 1] - finite(higher));
          total[s] += x + y;
          const int key = own_key + t * matrix::side + matrix::column(lane, n);
          *reinterpret_cast<unsigned*>(chunk<S::pitch>(weights, row, key) + key % chunk_width) =
              matrix::pair_of<real>(x, y);
        }
    }
#pragma unroll
    for (int m = 0; m < S::row_tiles; ++m)
#pragma unroll
      for (int s = 0; s < matrix::rows_held; ++s) {
        const float higher =
            over_sharers<S>(peaks, m * matrix::side + matrix::row_of_slot(lane, s), peak[m][s], larger);
        const float factor = power_of_two(peak[m][s] - finite(higher));
        peak[m][s] = higher;
#pragma unroll
        for (int c = 0; c < S::columns; ++c)
#pragma unroll
          for (int n = 0; n < matrix::held; ++n)
            if (matrix::row_slot(n) == s) out[m][c].at[n] *= factor;
      }
    __syncthreads();  // the weights are there

#pragma unroll
    for (int t = 0; t < S::keys / matrix::side; ++t) {
      matrix::Left<real> weight[S::row_tiles];
#pragma unroll
      for (int m = 0; m < S::row_tiles; ++m)
        weight[m] = matrix::load_left<real>([&](int r, int k) {
          return chunk<S::pitch>(weights, zero + m * matrix::side + r, t * matrix::side + k);
        });
#pragma unroll
      for (int c = 0; c < S::columns; ++c) {
        const auto v = matrix::load_rows<real>([&](int r, int d) {
          return chunk<width>(tile, zero + t * matrix::side + r, (own_column + c) * matrix::side + d);
        });
#pragma unroll
        for (int m = 0; m < S::row_tiles; ++m) matrix::multiply_add(weight[m], v, out[m][c]);
      }
    }
    if (S::buffers == 1) {
      __syncthreads();  // the tile has been used
      load_next();
    }
  }

#pragma unroll
  for (int s = 0; s < matrix::rows_held; ++s) {
    const float all = matrix::across_row(total[s], sum);
    if (matrix::column(lane, 0) == 0) totals[sharer][own_row + matrix::row_of_slot(lane, s)] = all;
  }
  arrive();  // the totals; where there was no key, the queries as well
#pragma unroll
  for (int m = 0; m < S::row_tiles; ++m)
#pragma unroll
    for (int s = 0; s < matrix::rows_held; ++s) {
      const int row = m * matrix::side + matrix::row_of_slot(lane, s);
      const State state{peak[m][s], over_sharers<S>(totals, row, 0, sum)};
      put<S>(a, plan, item, head, row, state, out[m], s, own_column, warp == 0);
    }
}

#if defined(PODIUM_ON_HIP)  // blocks have 64 KiB of shared memory there, not 227
using Few = Shape<1, 2, 32, 1>;
using Many = Few;
#else
using Few = Shape<1, 4, 64, 2>;
using Many = Shape<4, 8, 64, 2>;
#endif

struct Kernels {
  static int packed(const problem::Workload& w) { return packed_heads(w.heads, Many::rows); }
  static std::int64_t width(const problem::Workload&) { return latent_dim; }
  static Pass pass(const problem::Workload&, std::int64_t rows) {
    return rows <= Few::rows ? of<Few>(528, 256) : of<Many>(264, 512);
  }
  template <class S>
  static Pass of(int blocks, int least) {
    podium::allow_shared(decode<S>, S::shared_bytes);
    return {decode<S>, S::warps * matrix::device_lanes(), S::shared_bytes, {S::rows, blocks, least}};
  }
};

using Contestant = Launches<Kernels>;
}  // namespace
