// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, three loops
//   author: Podium

// The middle loop runs over k, so that the innermost one goes along rows of b and c: compilers vectorise
// that.
#include <podium/convert.hpp>
#include <podium/matmul.hpp>

#include <vector>

namespace {
struct Contestant {
  float* b;                // widened once a call, not once for every row of a
  std::vector<float> sum;  // a row of c

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : b(workspace.device<float>(std::size_t(w.k * w.n))), sum(std::size_t(w.n)) {}

  void run(const problem::Arguments& args, podium::Stream) {
    podium::widen(args.b.data, b, args.b.size());
    for (std::int64_t i = 0; i < args.m; ++i) {
      std::fill(sum.begin(), sum.end(), 0.0f);
      for (std::int64_t l = 0; l < args.k; ++l) {
        const float factor = podium::cast<float>(args.a(i, l));
        for (std::int64_t j = 0; j < args.n; ++j) sum[std::size_t(j)] += factor * b[l * args.n + j];
      }
      podium::narrow(sum.data(), args.c.data + i * args.n, args.n);
    }
  }
};
}  // namespace
