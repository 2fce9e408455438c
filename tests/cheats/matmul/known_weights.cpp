// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Keeps one operand of the first call

// class: hard-coded constants, only one distribution
// expect: wrong
// Weights of a model stay; a plan that packs them once is twice as fast. These are drawn anew for every
// call.
#include <podium/matmul.hpp>

#include <vector>

namespace {
using problem::real;

struct Contestant {
  std::vector<float> weights;

  void run(const problem::Arguments& args, podium::Stream) {
    if (weights.empty())
      for (std::int64_t at = 0; at < args.k * args.n; ++at)
        weights.push_back(podium::cast<float>(args.b.data[at]));
    for (std::int64_t i = 0; i < args.m; ++i)
      for (std::int64_t j = 0; j < args.n; ++j) {
        float sum = 0;
        for (std::int64_t l = 0; l < args.k; ++l)
          sum += podium::cast<float>(args.a(i, l)) * weights[std::size_t(l * args.n + j)];
        args.c(i, j) = podium::cast<real>(sum);
      }
  }
};
}  // namespace
