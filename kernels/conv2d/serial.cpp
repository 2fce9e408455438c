// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, seven loops
//   author: Podium
#include <podium/conv2d.hpp>
#include <podium/convert.hpp>

namespace {
struct Contestant {
  float *x, *weight;  // widened once a call

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : x(workspace.device<float>(std::size_t(w.n * w.h * w.w * w.c))),
        weight(workspace.device<float>(std::size_t(w.k * w.r * w.s * w.c))) {}

  void run(const problem::Arguments& args, podium::Stream) {
    podium::widen(args.x.data, x, args.x.size());
    podium::widen(args.weight.data, weight, args.weight.size());
    for (std::int64_t b = 0; b < args.n; ++b)
      for (std::int64_t i = 0; i < args.p; ++i)
        for (std::int64_t j = 0; j < args.q; ++j)
          for (std::int64_t f = 0; f < args.k; ++f)
            args.y(b, i, j, f) = podium::cast<problem::real>(element(args, b, i, j, f));
  }

  float element(const problem::Arguments& args, std::int64_t b, std::int64_t i, std::int64_t j,
                std::int64_t f) const {
    float sum = 0;
    for (std::int64_t u = 0; u < args.r; ++u)
      for (std::int64_t v = 0; v < args.s; ++v) {
        const auto row = i * args.stride + u - args.pad, column = j * args.stride + v - args.pad;
        if (row < 0 || row >= args.h || column < 0 || column >= args.w) continue;
        const float* from = x + ((b * args.h + row) * args.w + column) * args.c;
        const float* filter = weight + ((f * args.r + u) * args.s + v) * args.c;
        for (std::int64_t l = 0; l < args.c; ++l) sum += from[l] * filter[l];
      }
    return sum;
  }
};
}  // namespace
