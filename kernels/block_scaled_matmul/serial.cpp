// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, four loops
//   author: Podium
#include <podium/block_scaled_matmul.hpp>
#include <podium/convert.hpp>

#include <algorithm>

namespace {
using problem::group;

struct Contestant {
  float *a, *b;  // widened once a call

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : a(workspace.device<float>(std::size_t(w.m * w.k))),
        b(workspace.device<float>(std::size_t(w.n * w.k))) {}

  void run(const problem::Arguments& args, podium::Stream) {
    podium::widen(args.a.data, a, args.a.size());
    podium::widen(args.b.data, b, args.b.size());
    for (std::int64_t i = 0; i < args.m; ++i)
      for (std::int64_t j = 0; j < args.n; ++j) {
        const float *x = a + i * args.k, *y = b + j * args.k;
        float sum = 0;
        for (std::int64_t g = 0; g * group < args.k; ++g) {
          float part = 0;
          for (auto l = g * group, last = std::min(l + group, args.k); l < last; ++l) part += x[l] * y[l];
          sum += part * (args.a_scale(i, g) * args.b_scale(j / group, g));
        }
        args.c(i, j) = podium::cast<podium::bf16>(sum);
      }
  }
};
}  // namespace
