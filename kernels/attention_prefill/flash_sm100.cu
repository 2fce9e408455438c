// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Flash attention, Blackwell's tensor cores
//   author: Podium
//   arch: [sm_100a, sm_103a]
//   when: kv_len > 0 && (head_dim == 64 || head_dim == 128) && window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0
#include <podium/attention_prefill.hpp>

#include <cmath>
#include <cstring>

#include "sm100.hpp"

// A block has two tiles of 128 queries of one head, so that tensor cores multiply for one tile while the
// weights of the other one are computed. One thread copies keys and values to a ring of tiles, one begins the
// products, and each tile has a thread for each query: it reads the query's scores in tensor memory, writes
// the weights over them, and, where a larger score asks for it, scales the sums in tensor memory down.
//
// Of tile t and key tile j, in this order:
//   scores(t, j): the product of queries and keys is in tensor memory
//   weights(t, j): they are in tensor memory, and the sums fit them
//   sums(t, j): those weights, times values, are added
namespace {
using problem::real;
using sm100::Barrier, sm100::copy_heads, sm100::slice;

constexpr int tile = sm100::product_rows;  // queries, and keys
constexpr int tiles = 2;                   // of queries, of a block
constexpr int softmax_warps = tiles * tile / 32, copying_warp = softmax_warps,
              multiplying_warp = copying_warp + 1;
constexpr int threads = 32 * (softmax_warps + 2);
constexpr int places = 4;  // of the ring
constexpr int bytes_of_slice = tile * slice * int(sizeof(real));
// Columns of tensor memory: of each tile's scores, over which its weights lie, then of its sums.
constexpr unsigned scores_at = 0, sums_at = tiles * tile, columns_of_tile = tile;

template <int head_dim>
struct Shared {
  real q[tiles][tile * head_dim];
  real ring[places][tile * head_dim];  // first keys, first values, second keys, ...
  Barrier queries[tiles], filled[places], freed[places];
  Barrier scores[tiles], weights[tiles], sums[tiles];
  unsigned columns;
};

struct Maps {
  CUtensorMap q, k, v;
};

struct Shape {
  int queries, keys, heads, group;
  bool causal;
  float scale;  // of products, to scores in base 2

  // Keys that a query sees: the first ones.
  __device__ int seen(int query) const {
    return causal ? min(keys, max(0, query + 1 + keys - queries)) : keys;
  }
  // Tiles of keys that some query of a tile sees; 0 behind the last query.
  __device__ int key_tiles(int first_query) const {
    if (first_query >= queries) return 0;
    return (seen(min(first_query + tile, queries) - 1) + tile - 1) / tile;
  }
};

__device__ float power_of_two(float x) {
  float power;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
  return power;
}

__device__ unsigned pair_of(float low, float high) {
  unsigned both;
  if constexpr (std::is_same_v<real, podium::f16>) {
    const __half2 rounded = __floats2half2_rn(low, high);
    memcpy(&both, &rounded, sizeof both);
  } else {
    const __nv_bfloat162 rounded = __floats2bfloat162_rn(low, high);
    memcpy(&both, &rounded, sizeof both);
  }
  return both;
}

// What all threads of a block know.
struct Place {
  int first_query, head, sequence;
  int key_tiles[tiles];

  __device__ Place(const Shape& shape)
      : first_query(int(gridDim.y - 1 - blockIdx.y) * tiles * tile),  // those with the most keys first
        head(int(blockIdx.x)),
        sequence(int(blockIdx.z)) {
#pragma unroll
    for (int t = 0; t < tiles; ++t) key_tiles[t] = shape.key_tiles(first_query + t * tile);
  }
  __device__ int most_key_tiles() const { return max(key_tiles[0], key_tiles[1]); }
};

template <int head_dim>
__device__ void copy_tiles(Shared<head_dim>& s, const Maps& maps, const Shape& shape, const Place& place) {
  constexpr int bytes = tile * head_dim * int(sizeof(real));
  const auto queries = [&](int t) {
    if (place.key_tiles[t] == 0) return;
    s.queries[t].arrive_and_expect(bytes);
    copy_heads(s.q[t], maps.q, place.first_query + t * tile, place.head, place.sequence, s.queries[t]);
  };
  int count = 0;
  const auto next = [&](const CUtensorMap& map, int key_tile) {
    const int at = count % places, turn = count / places;
    if (turn > 0) s.freed[at].wait(turn - 1);
    s.filled[at].arrive_and_expect(bytes);
    copy_heads(s.ring[at], map, key_tile * tile, place.head / shape.group, place.sequence, s.filled[at]);
    ++count;
  };
  queries(0);
  for (int j = 0; j < place.most_key_tiles(); ++j) {
    next(maps.k, j);
    if (j == 0) queries(1);
    next(maps.v, j);
  }
}

// The thread that begins all products.
template <int head_dim>
struct Multiplier {
  Shared<head_dim>& s;
  const Place& place;

  // Keys of tile j are the ring's 2j-th tile, its values the next one.
  __device__ static int keys(int j) { return 2 * j; }
  __device__ static int values(int j) { return 2 * j + 1; }
  __device__ real* filled(int number) const {
    s.filled[number % places].wait(number / places);
    return s.ring[number % places];
  }
  __device__ void free(int number) const { s.freed[number % places].arrive_after_products(); }

  __device__ void scores(int t, int j) const {
    if (j == 0) s.queries[t].wait(0);
    const unsigned long long q = sm100::matrix_at(s.q[t], bytes_of_slice),
                             k = sm100::matrix_at(filled(keys(j)), bytes_of_slice);
    for (int d = 0; d < head_dim; d += sm100::product_depth) {
      const int bytes = d / slice * bytes_of_slice + d % slice * int(sizeof(real));
      sm100::multiply(s.columns + scores_at + t * columns_of_tile, sm100::moved(q, bytes),
                      sm100::moved(k, bytes), sm100::product_of<real>(tile, false), d > 0);
    }
    s.scores[t].arrive_after_products();
  }
  __device__ void sums(int t, int j) const {
    const unsigned weights = s.columns + scores_at + t * columns_of_tile;
    const unsigned long long v = sm100::matrix_at(filled(values(j)), bytes_of_slice);
    s.weights[t].wait(j);
    sm100::fence_after_wait();
    for (int key = 0; key < tile; key += sm100::product_depth)
      sm100::multiply(s.columns + sums_at + t * columns_of_tile, weights + key / 2,
                      sm100::moved(v, key * slice * int(sizeof(real))),
                      sm100::product_of<real>(head_dim, true), j > 0 || key > 0);
    s.sums[t].arrive_after_products();
  }

  __device__ void run() const {
    const int most = place.most_key_tiles();
#pragma unroll
    for (int t = 0; t < tiles; ++t)
      if (place.key_tiles[t] > 0) scores(t, 0);
    if (most > 0) free(keys(0));
    for (int j = 0; j < most; ++j) {
#pragma unroll
      for (int t = 0; t < tiles; ++t) {
        if (j < place.key_tiles[t]) sums(t, j);
        if (j + 1 < place.key_tiles[t]) {
          s.sums[t].wait(j);  // the next scores overwrite these weights, and products may overtake each other
          scores(t, j + 1);
        }
      }
      free(values(j));
      if (j + 1 < most) free(keys(j + 1));
    }
  }
};

// The thread of one query: its largest score and the sum of its weights, both in base 2.
template <int head_dim>
struct Softmax {
  // Weights are powers of the difference to a peak that may lie below the largest score by this much: few
  // sums need be scaled, and none is far from f32's and f16's largest number.
  static constexpr float slack = 8;
  static constexpr int at_once = sm100::columns_at_once;
  static constexpr int chains = 4;  // of sums and maxima that do not wait for each other

  Shared<head_dim>& s;
  int t;
  unsigned scores, sums;  // this warp's in tensor memory
  float scale, peak = -INFINITY, total = 0;

  __device__ Softmax(Shared<head_dim>& shared, int of_tile, float scale_of_products)
      : s(shared), t(of_tile), scale(scale_of_products) {
    const unsigned lanes = (threadIdx.x / 32 % 4 * 32) << 16;
    scores = s.columns + lanes + scores_at + t * columns_of_tile;
    sums = s.columns + lanes + sums_at + t * columns_of_tile;
  }

  // `seen`: how many of the tile's keys the query sees.
  __device__ void weigh(int j, int seen) {
    s.scores[t].wait(j);
    sm100::fence_after_wait();
    float score[tile];
#pragma unroll
    for (int c = 0; c < tile; c += at_once) sm100::load(score + c, scores + c);
    sm100::loads_done(score);
    if (seen < tile)
#pragma unroll
      for (int c = 0; c < tile; ++c)
        if (c >= seen) score[c] = -INFINITY;
    float largest[chains] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
#pragma unroll
    for (int c = 0; c < tile; ++c) largest[c % chains] = fmaxf(largest[c % chains], score[c]);
    raise_peak(j, scale * fmaxf(fmaxf(largest[0], largest[1]), fmaxf(largest[2], largest[3])));
    // Of a query that sees no key there is no difference of infinities.
    const float lowered = peak == -INFINITY ? 0 : peak;
    float part[chains] = {};
#pragma unroll
    for (int c = 0; c < tile; c += 2 * at_once) {
      unsigned pairs[at_once];
#pragma unroll
      for (int i = 0; i < 2 * at_once; i += 2) {
        float* const two = score + c + i;
        for (int of = 0; of < 2; ++of) {
          two[of] = power_of_two(fmaf(two[of], scale, -lowered));
          part[(i + of) % chains] += two[of];
        }
        pairs[i / 2] = pair_of(two[0], two[1]);
      }
      sm100::store(scores + c / 2, pairs);
    }
    total += (part[0] + part[1]) + (part[2] + part[3]);
    sm100::stores_done();
    sm100::fence_before_wait();
    s.weights[t].arrive();
  }

  // All lanes of a warp access tensor memory together. The sums of tile j - 1 are complete, since scores(t,
  // j) were begun after them.
  __device__ void raise_peak(int j, float largest) {
    if (j == 0) {
      peak = largest;
      return;
    }
    if (!__any_sync(podium::all_lanes, largest > peak + slack)) return;
    const float higher = fmaxf(peak, largest);
    const float factor = higher == peak ? 1 : power_of_two(peak - higher);
    peak = higher;
    total *= factor;
    for (int c = 0; c < head_dim; c += at_once) {
      float sum[at_once];
      unsigned scaled[at_once];
      sm100::load(sum, sums + c);
      sm100::loads_done(sum);
#pragma unroll
      for (int i = 0; i < at_once; ++i) scaled[i] = __float_as_uint(sum[i] * factor);
      sm100::store(sums + c, scaled);
    }
  }

  // Numbers of a head to `out`; nowhere, if that is null.
  __device__ void write(int key_tiles, real* out) const {
    if (key_tiles > 0) s.sums[t].wait(key_tiles - 1);
    sm100::fence_after_wait();
    const float factor = total > 0 ? 1 / total : 0;
    for (int c = 0; c < head_dim; c += at_once) {
      float sum[at_once] = {};
      if (key_tiles > 0) {
        sm100::load(sum, sums + c);
        sm100::loads_done(sum);
      }
      if (out == nullptr) continue;
#pragma unroll
      for (int i = 0; i < at_once; i += 8) {
        const auto pair = [&](int at) { return pair_of(sum[at] * factor, sum[at + 1] * factor); };
        *reinterpret_cast<uint4*>(out + c + i) = {pair(i), pair(i + 2), pair(i + 4), pair(i + 6)};
      }
    }
  }
};

template <int head_dim>
__device__ void weigh_tiles(Shared<head_dim>& s, const Shape& shape, const Place& place, real* out,
                            float* lse) {
  const int t = int(threadIdx.x) / tile, query = place.first_query + int(threadIdx.x);
  const int key_tiles = shape.key_tiles(place.first_query + t * tile), seen = shape.seen(query);
  Softmax<head_dim> softmax(s, t, shape.scale);
  for (int j = 0; j < key_tiles; ++j) softmax.weigh(j, seen - j * tile);
  const bool real_query = query < shape.queries;
  const std::int64_t row = (std::int64_t(place.sequence) * shape.queries + query) * shape.heads + place.head;
  softmax.write(key_tiles, real_query ? out + row * head_dim : nullptr);
  if (real_query && lse != nullptr) lse[row] = softmax.peak + log2f(softmax.total);
}

template <int head_dim>
__global__ void __launch_bounds__(threads, 1)
    attend(const __grid_constant__ Maps maps, Shape shape, real* out, float* lse) {
  extern __shared__ __align__(1024) unsigned char memory[];  // as the swizzle of 128 bytes needs it
  Shared<head_dim>& s = *reinterpret_cast<Shared<head_dim>*>(memory);
  const int warp = int(threadIdx.x) / 32;
  if (threadIdx.x == 0) {
    for (Barrier* const b :
         {&s.queries[0], &s.queries[1], &s.scores[0], &s.scores[1], &s.sums[0], &s.sums[1]})
      b->expect_arrivals(1);
    for (int t = 0; t < tiles; ++t) s.weights[t].expect_arrivals(tile);
    for (int p = 0; p < places; ++p) s.filled[p].expect_arrivals(1), s.freed[p].expect_arrivals(1);
    sm100::publish_barriers();
  }
  if (warp == multiplying_warp) sm100::allocate_columns(&s.columns);
  sm100::fence_before_wait();
  __syncthreads();
  sm100::fence_after_wait();

  const Place place(shape);
  if (warp == copying_warp) {
    if (sm100::elected()) copy_tiles(s, maps, shape, place);
  } else if (warp == multiplying_warp) {
    if (sm100::elected()) Multiplier<head_dim>{s, place}.run();
  } else {
    weigh_tiles(s, shape, place, out, lse);
  }
  sm100::fence_before_wait();
  __syncthreads();
  sm100::fence_after_wait();
  if (warp == multiplying_warp) sm100::free_columns(s.columns);
}

auto* kernel(std::int64_t head_dim) { return head_dim == 64 ? attend<64> : attend<128>; }
int shared_bytes(std::int64_t head_dim) {
  return int(head_dim == 64 ? sizeof(Shared<64>) : sizeof(Shared<128>));
}

struct Contestant {
  explicit Contestant(const problem::Workload& w) {
    podium::check(cudaFuncSetAttribute(kernel(w.head_dim), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       shared_bytes(w.head_dim)));
  }

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch * args.q_len * args.heads == 0) return;
    const auto map = [&](const auto& tensor, std::int64_t rows, std::int64_t heads) {
      return sm100::map_of_heads(tensor.data, args.batch, rows, heads, int(args.head_dim), tile);
    };
    const Maps maps{map(args.q, args.q_len, args.heads), map(args.k, args.kv_len, args.kv_heads),
                    map(args.v, args.kv_len, args.kv_heads)};
    constexpr double log2_e = 1.4426950408889634;
    const Shape shape{int(args.q_len),  int(args.kv_len),
                      int(args.heads),  int(args.heads / args.kv_heads),
                      args.causal == 1, float(log2_e / std::sqrt(double(args.head_dim)))};
    const dim3 grid(unsigned(args.heads), unsigned((args.q_len + tiles * tile - 1) / (tiles * tile)),
                    unsigned(args.batch));
    kernel(args.head_dim)<<<grid, threads, shared_bytes(args.head_dim), stream>>>(
        maps, shape, args.out.data, args.with_lse == 1 ? args.lse.data : nullptr);
    podium::check(cudaGetLastError());
  }
};
}  // namespace
