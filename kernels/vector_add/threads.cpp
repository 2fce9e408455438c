// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, an even share each
//   author: Podium

// A narrow dtype is widened in pieces that stay in the first cache, so that only the three matrices touch
// memory.
#include <podium/convert.hpp>
#include <podium/threads.hpp>
#include <podium/vector_add.hpp>

#include <algorithm>

namespace {
using problem::real;
constexpr std::int64_t piece = 1024;  // elements; two pieces of float are 8 KiB
constexpr std::int64_t grain = 4096;  // elements; whole pages, so that no two threads share one

void add(const real* a, const real* b, real* c, std::int64_t n) {
  if constexpr (std::is_same_v<real, float>) {
    for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + b[i];
  } else {
    float x[piece], y[piece];
    for (std::int64_t at = 0; at < n; at += piece) {
      const auto m = std::min(piece, n - at);
      podium::widen(a + at, x, m);
      podium::widen(b + at, y, m);
      for (std::int64_t i = 0; i < m; ++i) x[i] += y[i];
      podium::narrow(x, c + at, m);
    }
  }
}

struct Contestant {
  podium::Threads threads;

  void run(const problem::Arguments& args, podium::Stream) {
    threads.split(args.c.size(), grain, [&](std::int64_t begin, std::int64_t end) {
      add(args.a.data + begin, args.b.data + begin, args.c.data + begin, end - begin);
    });
  }
};
}  // namespace
