// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Flash attention backward, matrix cores
//   author: Podium
//   arch: [sm_80+, gfx942, gfx950, gfx1200, gfx1201]

// One launch for dk and dv, whose blocks have a tile of keys and walk along the queries that see them; and
// one for dq, whose blocks have a tile of queries and walk along the keys. Both make p and ds anew, with the
// block's own rows as rows of the product: so p and ds, rounded, are factors of the next product as they lie
// in registers. No two blocks write to the same place, and results do not depend on their order.
#include <podium/attention_backward.hpp>

#include "../attention_prefill/flash_copy.hpp"
#include "../attention_prefill/flash_join.hpp"

namespace {
using namespace attention::flash;
using problem::real;

// A block has `warps` times 16 rows of its own, and walks along tiles of `others` rows.
template <int head_dim_, int others_, int buffers_>
struct Shape {
  static constexpr int head_dim = head_dim_, others = others_, buffers = buffers_;
  static constexpr int warps = 4, threads = warps * matrix::lanes, rows = warps * matrix::side;
  static constexpr int at_once = 2;  // tiles of 16 others
  static constexpr int columns = head_dim / matrix::side;
  static constexpr int shared_bytes = (2 * rows + 2 * buffers * others) * head_dim * int(sizeof(real));
};

// Of a query and head: the lse, and dout * out. Both lie [batch][heads][padded queries].
struct Row {
  float lse, delta;
};
constexpr int padding = 64;
struct Rows {
  Row* data;

  __device__ Row* of(const problem::Arguments& a, std::int64_t b, std::int64_t h) const {
    return data + (b * a.heads + h) * (podium::ceil_div(a.len, padding) * padding);
  }
};

constexpr int block = 128;
// A thread has a chunk of a row.
__global__ void __launch_bounds__(block) sum_up_rows(problem::Arguments a, Rows rows) {
  const int chunks = int(a.head_dim) / chunk_width;
  const std::int64_t count = a.batch * a.len * a.heads * chunks;
  const std::int64_t item = std::int64_t(blockIdx.x) * block + threadIdx.x, at = item < count ? item : 0;
  float dout[chunk_width], out[chunk_width], delta = 0;
  widen(a.dout.data + at * chunk_width, dout);
  widen(a.out.data + at * chunk_width, out);
#pragma unroll
  for (int n = 0; n < chunk_width; ++n) delta += dout[n] * out[n];
  for (int step = chunks / 2; step > 0; step /= 2) delta += __shfl_xor_sync(podium::all_lanes, delta, step);
  if (item >= count || at % chunks != 0) return;
  const std::int64_t h = at / chunks % a.heads, i = at / chunks / a.heads % a.len,
                     b = at / chunks / a.heads / a.len;
  rows.of(a, b, h)[i] = {a.lse(b, i, h), delta};
}

// Rows `first` to before `first + count`, of those that `data` begins, `pitch` elements from one to the next;
// zeros for those from `len` on.
template <class S>
__device__ void load(real* tile, const real* data, std::int64_t pitch, int first, int count,
                     std::int64_t len) {
  constexpr int chunks = S::head_dim / chunk_width;
#pragma unroll 4
  for (int c = int(threadIdx.x); c < count * chunks; c += S::threads) {
    const int row = c / chunks, d = c % chunks * chunk_width;
    const bool exists = first + row < len;
    copy(chunk<S::head_dim>(tile, row, d), data + (exists ? first + row : 0) * pitch + d, exists);
  }
}

// Products of 16 rows of one tile with at_once times 16 rows of another.
template <class S>
struct Products {
  matrix::Sums of[S::at_once] = {};

  __device__ Products(real* tile, int row, real* other, int other_row) {
#pragma unroll
    for (int d = 0; d < S::head_dim; d += matrix::side) {
      const auto left =
          matrix::load_left<real>([&](int r, int c) { return chunk<S::head_dim>(tile, row + r, d + c); });
#pragma unroll
      for (int t = 0; t < S::at_once; ++t)
        matrix::multiply_add(left, matrix::load_columns<real>([&](int r, int c) {
                               return chunk<S::head_dim>(other, other_row + t * matrix::side + r, d + c);
                             }),
                             of[t]);
    }
  }
};

// 16 rows of results.
template <class S>
struct Results {
  matrix::Sums of[S::columns] = {};

  // Adds factors times 16 rows of a tile.
  __device__ void add(const matrix::Left<real>& factors, real* tile, int row) {
#pragma unroll
    for (int c = 0; c < S::columns; ++c)
      matrix::multiply_add(factors, matrix::load_rows<real>([&](int r, int d) {
                             return chunk<S::head_dim>(tile, row + r, c * matrix::side + d);
                           }),
                           of[c]);
  }

  // To rows from `first` on, as load() takes them.
  __device__ void put(real* data, std::int64_t pitch, int first, std::int64_t len) const {
    const int lane = int(threadIdx.x) % matrix::lanes;
#pragma unroll
    for (int c = 0; c < S::columns; ++c)
#pragma unroll
      for (int n = 0; n < matrix::held; n += 2) {  // two numbers side by side
        const int row = first + matrix::row(lane, n);
        if (row < len)
          *reinterpret_cast<unsigned*>(data + row * pitch + c * matrix::side + matrix::column(lane, n)) =
              matrix::pair_of<real>(of[c].at[n], of[c].at[n + 1]);
      }
  }
};

struct Weights {
  float p, ds;  // ds: with the scale of the scores
};
__device__ Weights weights(bool seen, float product, float dp, Row row, float scale) {
  const float p = seen ? power_of_two(product * (scale * attention::log2_e) - row.lse) : 0.0f;
  return {p, p * (dp - row.delta) * scale};
}

template <class S>
__global__ void __launch_bounds__(S::threads) keys(problem::Arguments a, Rows all_rows) {
  PODIUM_DYNAMIC_SHARED(real, k);
  __shared__ __align__(16) Row rows[S::buffers][S::others];
  real *const v = k + S::rows * S::head_dim, *const others = v + S::rows * S::head_dim;
  const auto q_tile = [&](int turn) { return others + turn % S::buffers * 2 * S::others * S::head_dim; };
  const auto dout_tile = [&](int turn) { return q_tile(turn) + S::others * S::head_dim; };

  const std::int64_t g = blockIdx.x % a.kv_heads, b = blockIdx.x / a.kv_heads % a.batch;
  const int first = int(blockIdx.x / a.kv_heads / a.batch) * S::rows, group = int(a.heads / a.kv_heads);
  const int first_query = a.causal != 0 ? first / S::others * S::others : 0;
  const int tiles = podium::ceil_div(int(a.len) - first_query, S::others), turns = group * tiles;
  const int lane = int(threadIdx.x) % matrix::lanes,
            own_row = int(threadIdx.x) / matrix::lanes * matrix::side;
  const std::int64_t pitch = a.heads * S::head_dim, key_pitch = a.kv_heads * S::head_dim;
  const float scale = 1 / sqrtf(float(S::head_dim));

  const auto load_others = [&](int turn) {
    if (turn >= turns) return;
    const std::int64_t h = g * group + turn / tiles;
    const int i = first_query + turn % tiles * S::others;
    load<S>(q_tile(turn), &a.q(b, 0, h, 0), pitch, i, S::others, a.len);
    load<S>(dout_tile(turn), &a.dout(b, 0, h, 0), pitch, i, S::others, a.len);
    if (const int n = int(threadIdx.x) * 2; n < S::others)
      copy(&rows[turn % S::buffers][n], all_rows.of(a, b, h) + i + n, true);
  };
  load<S>(k, &a.k(b, 0, g, 0), key_pitch, first, S::rows, a.len);
  load<S>(v, &a.v(b, 0, g, 0), key_pitch, first, S::rows, a.len);
  load_others(0);

  Results<S> dk, dv;
  for (int turn = 0; turn < turns; ++turn) {
    arrive();  // the tiles; those before have been used
    if (S::buffers > 1) load_others(turn + 1);
    const int i = first_query + turn % tiles * S::others;
#pragma unroll 1
    for (int t = 0; t < S::others; t += S::at_once * matrix::side) {
      const int zero = unknown_zero();
      Products<S> scores(k, zero + own_row, q_tile(turn), zero + t),
          dp(v, zero + own_row, dout_tile(turn), zero + t);
#pragma unroll
      for (int s = 0; s < S::at_once; ++s) {
#pragma unroll
        for (int n = 0; n < matrix::held; ++n) {
          const int column = t + s * matrix::side + matrix::column(lane, n), query = i + column;
          const int key = first + own_row + matrix::row(lane, n);
          const bool seen = query < a.len && (a.causal == 0 || query >= key);
          float &score = scores.of[s].at[n], &other = dp.of[s].at[n];
          const Weights w = weights(seen, score, other, rows[turn % S::buffers][column], scale);
          score = w.p, other = w.ds;
        }
        dv.add(matrix::rounded<real>(scores.of[s]), dout_tile(turn), zero + t + s * matrix::side);
        dk.add(matrix::rounded<real>(dp.of[s]), q_tile(turn), zero + t + s * matrix::side);
      }
    }
    if (S::buffers == 1) {
      __syncthreads();  // the tiles have been used
      load_others(turn + 1);
    }
  }
  dk.put(&a.dk(b, 0, g, 0), key_pitch, first + own_row, a.len);
  dv.put(&a.dv(b, 0, g, 0), key_pitch, first + own_row, a.len);
}

template <class S>
__global__ void __launch_bounds__(S::threads) queries(problem::Arguments a, Rows all_rows) {
  PODIUM_DYNAMIC_SHARED(real, q);
  real *const dout = q + S::rows * S::head_dim, *const others = dout + S::rows * S::head_dim;
  const auto k_tile = [&](int turn) { return others + turn % S::buffers * 2 * S::others * S::head_dim; };
  const auto v_tile = [&](int turn) { return k_tile(turn) + S::others * S::head_dim; };

  const std::int64_t h = blockIdx.x % a.heads, b = blockIdx.x / a.heads % a.batch,
                     g = h / (a.heads / a.kv_heads);
  const int tile =
      int(gridDim.x / a.heads / a.batch - 1 - blockIdx.x / a.heads / a.batch);  // the longest first
  const int first = tile * S::rows, end = a.causal != 0 ? min(int(a.len), first + S::rows) : int(a.len);
  const int lane = int(threadIdx.x) % matrix::lanes,
            own_row = int(threadIdx.x) / matrix::lanes * matrix::side;
  const std::int64_t pitch = a.heads * S::head_dim, key_pitch = a.kv_heads * S::head_dim;
  const float scale = 1 / sqrtf(float(S::head_dim));

  const auto load_others = [&](int turn) {
    if (turn * S::others >= end) return;
    load<S>(k_tile(turn), &a.k(b, 0, g, 0), key_pitch, turn * S::others, S::others, a.len);
    load<S>(v_tile(turn), &a.v(b, 0, g, 0), key_pitch, turn * S::others, S::others, a.len);
  };
  load<S>(q, &a.q(b, 0, h, 0), pitch, first, S::rows, a.len);
  load<S>(dout, &a.dout(b, 0, h, 0), pitch, first, S::rows, a.len);
  load_others(0);
  Row rows[matrix::rows_held];
#pragma unroll
  for (int s = 0; s < matrix::rows_held; ++s)
    rows[s] = all_rows.of(a, b, h)[first + own_row + matrix::row_of_slot(lane, s)];

  Results<S> dq;
  for (int turn = 0; turn * S::others < end; ++turn) {
    arrive();  // the tiles; those before have been used
    if (S::buffers > 1) load_others(turn + 1);
#pragma unroll 1
    for (int t = 0; t < S::others; t += S::at_once * matrix::side) {
      const int zero = unknown_zero();
      const Products<S> scores(q, zero + own_row, k_tile(turn), zero + t);
      Products<S> dp(dout, zero + own_row, v_tile(turn), zero + t);
#pragma unroll
      for (int s = 0; s < S::at_once; ++s) {
#pragma unroll
        for (int n = 0; n < matrix::held; ++n) {
          const int key = turn * S::others + t + s * matrix::side + matrix::column(lane, n);
          const bool seen = key < a.len && (a.causal == 0 || key <= first + own_row + matrix::row(lane, n));
          float& other = dp.of[s].at[n];
          other = weights(seen, scores.of[s].at[n], other, rows[matrix::row_slot(n)], scale).ds;
        }
        dq.add(matrix::rounded<real>(dp.of[s]), k_tile(turn), zero + t + s * matrix::side);
      }
    }
    if (S::buffers == 1) {
      __syncthreads();  // the tiles have been used
      load_others(turn + 1);
    }
  }
  dq.put(&a.dq(b, 0, h, 0), pitch, first + own_row, a.len);
}

#if defined(PODIUM_ON_HIP)  // blocks have 64 KiB of shared memory there, not 227
template <int head_dim>
using Chosen = Shape<head_dim, 32, 1>;
#else
template <int head_dim>
using Chosen = Shape<head_dim, 64, 2>;
#endif
static_assert(Chosen<64>::rows == padding && padding % Chosen<64>::others == 0);

struct Contestant {
  using Kernel = void (*)(problem::Arguments, Rows);
  Kernel of_keys, of_queries;
  int shared_bytes;
  Rows rows{};
  int lanes = matrix::device_lanes();

  Contestant(const problem::Workload& w, podium::Workspace& workspace) {
    if (w.head_dim == 64)
      choose<Chosen<64>>();
    else
      choose<Chosen<128>>();
    const std::int64_t padded = podium::ceil_div(w.len, padding) * padding;
    if (padded > 0) rows.data = workspace.device<Row>(std::size_t(w.batch * w.heads * padded));
  }

  template <class S>
  void choose() {
    podium::allow_shared(keys<S>, S::shared_bytes);
    podium::allow_shared(queries<S>, S::shared_bytes);
    of_keys = keys<S>, of_queries = queries<S>, shared_bytes = S::shared_bytes;
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch * args.len == 0) return;
    const std::int64_t chunks = args.batch * args.len * args.heads * args.head_dim / chunk_width,
                       tiles = args.batch * podium::ceil_div(args.len, padding);
    podium::launch(sum_up_rows, dim3(unsigned(podium::ceil_div(chunks, block))), dim3(block), 0, stream, args,
                   rows);
    const auto threads = dim3(unsigned(Chosen<64>::warps * lanes));
    podium::launch(of_keys, dim3(unsigned(tiles * args.kv_heads)), threads, std::size_t(shared_bytes), stream,
                   args, rows);
    podium::launch(of_queries, dim3(unsigned(tiles * args.heads)), threads, std::size_t(shared_bytes), stream,
                   args, rows);
  }
};
}  // namespace
