// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One warp a row of dq, then one a row of dk and dv
//   author: Podium

// A warp walks along the keys that its query sees, or along the queries that see its key, and makes each p
// and ds anew: its lanes share the rows' elements. So no two warps write to the same place, and nothing is
// kept between the launches.
#include <podium/attention_backward.hpp>

namespace {
using problem::real;
constexpr int block = 128, least_warp = 32, widest = 128;
constexpr int each = widest / least_warp;  // elements of a lane, at most; some warps have 64 lanes

// This lane's elements of a row.
struct Row {
  float at[each] = {};

  Row() = default;
  __device__ Row(const real* from, std::int64_t width) {
    for_own(width, [&](int n, int d) { at[n] = podium::cast<float>(from[d]); });
  }
  template <class Body>
  __device__ static void for_own(std::int64_t width, Body body) {
#pragma unroll
    for (int n = 0; n < each; ++n)
      if (const int d = n * warpSize + int(threadIdx.x) % warpSize; d < width) body(n, d);
  }
  __device__ void add(float factor, const Row& other) {
#pragma unroll
    for (int n = 0; n < each; ++n) at[n] += factor * other.at[n];
  }
  __device__ void put(real* to, std::int64_t width) const {
    for_own(width, [&](int n, int d) { to[d] = podium::cast<real>(at[n]); });
  }
};

__device__ float dot(const Row& x, const Row& y) {
  float sum = 0;
#pragma unroll
  for (int n = 0; n < each; ++n) sum += x.at[n] * y.at[n];
  for (int d = warpSize / 2; d > 0; d /= 2) sum += __shfl_xor_sync(podium::all_lanes, sum, d);
  return sum;
}

// One query and head.
struct Query {
  Row q, dout;
  float lse, delta;

  __device__ Query(const problem::Arguments& a, std::int64_t b, std::int64_t i, std::int64_t h)
      : q(&a.q(b, i, h, 0), a.head_dim), dout(&a.dout(b, i, h, 0), a.head_dim), lse(a.lse(b, i, h)) {
    delta = dot(dout, Row(&a.out(b, i, h, 0), a.head_dim));
  }
};

struct Weights {
  float p, ds;  // ds: with the scale of the scores
};
__device__ Weights weights(const problem::Arguments& a, const Query& query, const Row& k, const Row& v) {
  const float scale = 1 / sqrtf(float(a.head_dim));
  const float p = exp2f(dot(query.q, k) * scale * 1.44269504f - query.lse);
  return {p, p * (dot(query.dout, v) - query.delta) * scale};
}

__global__ void __launch_bounds__(block) rows_of_dq(problem::Arguments a) {
  const std::int64_t warps = std::int64_t(gridDim.x) * (block / warpSize), items = a.batch * a.len * a.heads;
  std::int64_t item = std::int64_t(blockIdx.x) * (block / warpSize) + threadIdx.x / warpSize;
  for (; item < items; item += warps) {
    const std::int64_t h = item % a.heads, i = item / a.heads % a.len, b = item / a.heads / a.len;
    const std::int64_t g = h / (a.heads / a.kv_heads), end = a.causal != 0 ? i + 1 : a.len;
    const Query query(a, b, i, h);
    Row dq;
    for (std::int64_t j = 0; j < end; ++j) {
      const Row k(&a.k(b, j, g, 0), a.head_dim), v(&a.v(b, j, g, 0), a.head_dim);
      dq.add(weights(a, query, k, v).ds, k);
    }
    dq.put(&a.dq(b, i, h, 0), a.head_dim);
  }
}

__global__ void __launch_bounds__(block) rows_of_dk_and_dv(problem::Arguments a) {
  const std::int64_t warps = std::int64_t(gridDim.x) * (block / warpSize),
                     items = a.batch * a.len * a.kv_heads;
  std::int64_t item = std::int64_t(blockIdx.x) * (block / warpSize) + threadIdx.x / warpSize;
  for (; item < items; item += warps) {
    const std::int64_t g = item % a.kv_heads, j = item / a.kv_heads % a.len, b = item / a.kv_heads / a.len;
    const std::int64_t group = a.heads / a.kv_heads;
    const Row k(&a.k(b, j, g, 0), a.head_dim), v(&a.v(b, j, g, 0), a.head_dim);
    Row dk, dv;
    for (std::int64_t h = g * group; h < (g + 1) * group; ++h)
      for (std::int64_t i = a.causal != 0 ? j : 0; i < a.len; ++i) {
        const Query query(a, b, i, h);
        const Weights w = weights(a, query, k, v);
        dk.add(w.ds, query.q);
        dv.add(w.p, query.dout);
      }
    dk.put(&a.dk(b, j, g, 0), a.head_dim);
    dv.put(&a.dv(b, j, g, 0), a.head_dim);
  }
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto blocks = [](std::int64_t rows) {
      return dim3(unsigned(podium::ceil_div(rows, block / least_warp)));
    };
    const std::int64_t keys = args.batch * args.len * args.kv_heads,
                       queries = args.batch * args.len * args.heads;
    if (keys == 0) return;
    podium::launch(rows_of_dq, blocks(queries), dim3(block), 0, stream, args);
    podium::launch(rows_of_dk_and_dv, blocks(keys), dim3(block), 0, stream, args);
  }
};
}  // namespace
