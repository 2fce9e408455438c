// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, rows dealt out in turn
//   author: Podium

// Every thread owns some rows of the table, looks at all tokens and adds the gradients of those whose row is
// its own: nobody else writes there. Rows are dealt out one by one, so that frequent ones do not all go to
// the same thread.
#include <podium/embedding_backward.hpp>
#include <podium/threads.hpp>

#include <algorithm>

namespace {
using problem::real;

void add(const real* __restrict gradient, float* __restrict row, std::int64_t width) {
  for (std::int64_t w = 0; w < width; ++w) row[w] += podium::cast<float>(gradient[w]);
}

struct Contestant {
  podium::Threads threads;

  void run(const problem::Arguments& args, podium::Stream) {
    threads.each_member([&](int member) {
      for (std::int64_t v = member; v < args.vocabulary; v += threads.count())
        std::fill_n(args.y.data + v * args.width, args.width, 0.0f);
      for (std::int64_t t = 0; t < args.tokens; ++t) {
        const std::int64_t v = args.token.data[t];
        if (v % threads.count() == member)
          add(args.gradient.data + t * args.width, args.y.data + v * args.width, args.width);
      }
    });
  }
};
}  // namespace
