// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, a head and 64 columns of the state each
//   author: Podium

// Columns of the state do not know of each other. A task takes so few that they stay in the first cache, and
// walks through all steps; rows of the task's columns are vectors.
#include <podium/convert.hpp>
#include <podium/gated_linear_attention.hpp>
#include <podium/threads.hpp>

#include <algorithm>
#include <atomic>
#include <vector>

namespace {
constexpr std::int64_t columns = 64;

struct Contestant {
  struct Own {
    std::vector<float> state, q, k;
    float v[columns], sum[columns];
  };
  podium::Threads threads;
  std::vector<Own> own = std::vector<Own>(std::size_t(threads.count()));

  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t slices = podium::ceil_div(args.value_dim, columns),
                       tasks = args.batch * args.heads * slices;
    std::atomic<std::int64_t> next{0};
    threads.each_member([&](int member) {
      for (std::int64_t task; (task = next.fetch_add(1)) < tasks;)
        walk(args, task / slices / args.heads, task / slices % args.heads, task % slices * columns,
             own[std::size_t(member)]);
    });
  }

  static void walk(const problem::Arguments& args, std::int64_t b, std::int64_t h, std::int64_t first,
                   Own& my) {
    const std::int64_t rows = args.key_dim, count = std::min(columns, args.value_dim - first);
    my.state.assign(std::size_t(rows * columns), 0);
    my.q.resize(std::size_t(rows));
    my.k.resize(std::size_t(rows));
    std::fill(my.v, my.v + columns, 0.0f);
    for (std::int64_t t = 0; t < args.tokens; ++t) {
      const std::int64_t keys = ((b * args.tokens + t) * args.heads + h) * rows,
                         values = ((b * args.tokens + t) * args.heads + h) * args.value_dim + first;
      podium::widen(args.q.data + keys, my.q.data(), rows);
      podium::widen(args.k.data + keys, my.k.data(), rows);
      podium::widen(args.v.data + values, my.v, count);
      std::fill(my.sum, my.sum + columns, 0.0f);
      for (std::int64_t i = 0; i < rows; ++i)
        step(&my.state[std::size_t(i * columns)], my.v, my.sum, args.a.data[keys + i], my.k[std::size_t(i)],
             my.q[std::size_t(i)]);
      podium::narrow(my.sum, args.out.data + values, count);
    }
  }

  static void step(float* __restrict s, const float* __restrict v, float* __restrict sum, float gate, float k,
                   float q) {
    for (std::int64_t j = 0; j < columns; ++j) {
      s[j] = gate * s[j] + k * v[j];
      sum[j] += q * s[j];
    }
  }
};
}  // namespace
