// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, whole tokens each
//   author: Podium

// A head is widened, turned and narrowed while it is in the first cache; the row of the table stays there for
// all heads of a token.
#include <podium/convert.hpp>
#include <podium/rope.hpp>
#include <podium/threads.hpp>

#include <vector>

namespace {
using problem::real;

void turn(float* a, float* b, const float* cosine, const float* sine, std::int64_t half) {
#pragma GCC ivdep
  for (std::int64_t d = 0; d < half; ++d) {
    const float first = a[d] * cosine[d] - b[d] * sine[d];
    b[d] = b[d] * cosine[d] + a[d] * sine[d];
    a[d] = first;
  }
}

struct Contestant {
  podium::Threads threads;
  std::vector<std::vector<float>> buffers;  // a head for every thread

  explicit Contestant(const problem::Workload& w)
      : buffers(std::size_t(threads.count()), std::vector<float>(std::size_t(w.head_dim))) {}

  void run(const problem::Arguments& args, podium::Stream) {
    threads.each_member([&](int member) {
      float* const head = buffers[std::size_t(member)].data();
      const std::int64_t size = args.head_dim, half = size / 2;
      const auto [begin, end] = threads.share(args.tokens, 1, member);
      for (auto t = begin; t < end; ++t) {
        const float* const table = args.table.data + args.position.data[t] * size;
        for (std::int64_t h = 0; h < args.heads; ++h) {
          const std::int64_t at = (t * args.heads + h) * size;
          podium::widen(args.x.data + at, head, size);
          turn(head, head + half, table, table + half, half);
          podium::narrow(head, args.y.data + at, size);
        }
      }
    });
  }
};
}  // namespace
