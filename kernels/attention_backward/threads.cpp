// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, tiles of queries and keys
//   author: Podium

// A task has some queries of a head, or some keys of a kv head. It adds up their dq, or their dk and dv. It
// makes p and ds of each tile of the others anew, so that no two tasks write to the same place. In a tile
// queries are vector lanes.
#include <podium/attention_backward.hpp>
#include <podium/convert.hpp>
#include <podium/exponential.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../attention_prefill/host_multiply.hpp"

namespace {
using attention::host::multiply, problem::real;
constexpr std::int64_t tile = 64, widest = 128;  // queries or keys; head_dim

using Rows = float[tile * widest];   // [row][head_dim]
using Lanes = float[tile * widest];  // [head_dim][query]

struct Queries {
  Rows q, dout;
  Lanes q_lanes, dout_lanes;
  float lse[tile], delta[tile];
};
struct Keys {
  Rows k, v;
};
struct Scratch {
  Queries queries;
  Keys keys;
  float p[tile * tile], ds[tile * tile];  // [key][query]
  Rows dq, dk, dv;
};

struct Contestant {
  podium::Threads threads;
  std::vector<Scratch> own = std::vector<Scratch>(std::size_t(threads.count()));

  void run(const problem::Arguments& a, podium::Stream) {
    const std::int64_t tiles = podium::ceil_div(a.len, tile), of_queries = a.batch * a.heads * tiles;
    std::int64_t next = 0;
    const std::int64_t tasks = of_queries + a.batch * a.kv_heads * tiles;
    threads.each_member([&](int member) {
      Scratch& my = own[std::size_t(member)];
      for (std::int64_t task; (task = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < tasks;)
        if (task < of_queries)
          queries(a, task / tiles / a.heads, task / tiles % a.heads, task % tiles * tile, my);
        else
          keys(a, (task - of_queries) / tiles / a.kv_heads, (task - of_queries) / tiles % a.kv_heads,
               (task - of_queries) % tiles * tile, my);
    });
  }

  static void queries(const problem::Arguments& a, std::int64_t b, std::int64_t h, std::int64_t i,
                      Scratch& my) {
    const std::int64_t count = std::min(tile, a.len - i), end = a.causal != 0 ? i + count : a.len;
    load(a, b, h, i, count, my.queries);
    std::fill(std::begin(my.dq), std::end(my.dq), 0.0f);
    for (std::int64_t j = 0; j < end; j += tile) {
      const std::int64_t of_tile = std::min(tile, a.len - j);
      load(a, b, h / (a.heads / a.kv_heads), j, of_tile, my.keys);
      weigh(a, i, count, j, of_tile, my);
      multiply({my.ds, 1, tile}, my.keys.k, a.head_dim, my.dq, a.head_dim, count, of_tile, a.head_dim);
    }
    store(my.dq, count, &a.dq(b, i, h, 0), a.heads * a.head_dim, a.head_dim);
  }

  static void keys(const problem::Arguments& a, std::int64_t b, std::int64_t g, std::int64_t j, Scratch& my) {
    const std::int64_t count = std::min(tile, a.len - j), group = a.heads / a.kv_heads;
    load(a, b, g, j, count, my.keys);
    std::fill(std::begin(my.dk), std::end(my.dk), 0.0f);
    std::fill(std::begin(my.dv), std::end(my.dv), 0.0f);
    for (std::int64_t h = g * group; h < (g + 1) * group; ++h)
      for (std::int64_t i = a.causal != 0 ? j : 0; i < a.len; i += tile) {
        const std::int64_t of_tile = std::min(tile, a.len - i);
        load(a, b, h, i, of_tile, my.queries);
        weigh(a, i, of_tile, j, count, my);
        multiply({my.p, tile, 1}, my.queries.dout, a.head_dim, my.dv, a.head_dim, count, of_tile, a.head_dim);
        multiply({my.ds, tile, 1}, my.queries.q, a.head_dim, my.dk, a.head_dim, count, of_tile, a.head_dim);
      }
    store(my.dk, count, &a.dk(b, j, g, 0), a.kv_heads * a.head_dim, a.head_dim);
    store(my.dv, count, &a.dv(b, j, g, 0), a.kv_heads * a.head_dim, a.head_dim);
  }

  // p and ds of a tile, ds with the scale of the scores.
  static void weigh(const problem::Arguments& a, std::int64_t i, std::int64_t queries, std::int64_t j,
                    std::int64_t keys, Scratch& my) {
    const Queries& by = my.queries;
    const float scale = 1 / std::sqrt(float(a.head_dim));
    std::fill_n(my.p, keys * tile, 0.0f);
    std::fill_n(my.ds, keys * tile, 0.0f);
    multiply({my.keys.k, a.head_dim, 1}, by.q_lanes, tile, my.p, tile, keys, a.head_dim, tile);
    multiply({my.keys.v, a.head_dim, 1}, by.dout_lanes, tile, my.ds, tile, keys, a.head_dim, tile);
    for (std::int64_t n = 0; n < keys; ++n) {
      const std::int64_t first =
          a.causal != 0 ? std::max<std::int64_t>(0, j + n - i) : 0;  // query that sees the key
      float *const p = my.p + n * tile, *const ds = my.ds + n * tile;
      for (std::int64_t r = 0; r < tile; ++r) {
        // A score that was rounded otherwise may lie above the lse, but never far.
        const float power = std::min(0.0f, scale * p[r] - by.lse[r]);
        p[r] = r >= first && r < queries ? podium::exponential(power) : 0;
        ds[r] = p[r] * (ds[r] - by.delta[r]) * scale;
      }
    }
  }

  static void load(const problem::Arguments& a, std::int64_t b, std::int64_t h, std::int64_t i,
                   std::int64_t count, Queries& to) {
    float out[widest];
    for (std::int64_t r = 0; r < tile; ++r) {
      float *const q = to.q + r * a.head_dim, *const dout = to.dout + r * a.head_dim;
      const bool inside = r < count;
      if (inside) {
        podium::widen(&a.q(b, i + r, h, 0), q, a.head_dim);
        podium::widen(&a.dout(b, i + r, h, 0), dout, a.head_dim);
        podium::widen(&a.out(b, i + r, h, 0), out, a.head_dim);
      }
      float delta = 0;
      for (std::int64_t d = 0; d < a.head_dim; ++d) {
        to.q_lanes[d * tile + r] = inside ? q[d] : 0;
        to.dout_lanes[d * tile + r] = inside ? dout[d] : 0;
        delta += inside ? dout[d] * out[d] : 0;
      }
      to.delta[r] = delta;
      to.lse[r] = inside ? a.lse(b, i + r, h) * 0.693147181f : 0;
    }
  }
  static void load(const problem::Arguments& a, std::int64_t b, std::int64_t g, std::int64_t j,
                   std::int64_t count, Keys& to) {
    for (std::int64_t n = 0; n < count; ++n) {
      podium::widen(&a.k(b, j + n, g, 0), to.k + n * a.head_dim, a.head_dim);
      podium::widen(&a.v(b, j + n, g, 0), to.v + n * a.head_dim, a.head_dim);
    }
  }
  static void store(const float* rows, std::int64_t count, real* to, std::int64_t pitch, std::int64_t width) {
    for (std::int64_t r = 0; r < count; ++r) podium::narrow(rows + r * width, to + r * pitch, width);
  }
};
}  // namespace
