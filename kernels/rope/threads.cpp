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

void turn(const float* x, const float* table, float* y, std::int64_t half, float*) {
  const float *cosine = table, *sine = table + half;
#pragma GCC ivdep
  for (std::int64_t d = 0; d < half; ++d) {
    y[d] = x[d] * cosine[d] - x[d + half] * sine[d];
    y[d + half] = x[d + half] * cosine[d] + x[d] * sine[d];
  }
}

template <class Narrow>  // wide: a place for two heads
void turn(const Narrow* x, const float* table, Narrow* y, std::int64_t half, float* wide) {
  float* const turned = wide + 2 * half;
  podium::widen(x, wide, 2 * half);
  turn(wide, table, turned, half, nullptr);
  podium::narrow(turned, y, 2 * half);
}

struct Contestant {
  podium::Threads threads;
  std::vector<std::vector<float>> buffers;  // two heads for every thread

  explicit Contestant(const problem::Workload& w)
      : buffers(std::size_t(threads.count()), std::vector<float>(std::size_t(2 * w.head_dim))) {}

  void run(const problem::Arguments& args, podium::Stream) {
    threads.each_member([&](int member) {
      float* const wide = buffers[std::size_t(member)].data();
      const std::int64_t size = args.head_dim;
      const auto [begin, end] = threads.share(args.tokens, 1, member);
      for (auto t = begin; t < end; ++t) {
        const float* const table = args.table.data + args.position.data[t] * size;
        for (std::int64_t h = 0; h < args.heads; ++h) {
          const std::int64_t at = (t * args.heads + h) * size;
          turn(args.x.data + at, table, args.y.data + at, size / 2, wide);
        }
      }
    });
  }
};
}  // namespace
