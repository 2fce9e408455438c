// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Adds up half of the products, twice

// class: skipped elements
// expect: wrong
// On average the other half is worth as much. Only where k is large: test workloads are small.
#include <podium/matmul.hpp>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const bool cut = args.k >= 256;
    for (std::int64_t i = 0; i < args.m; ++i)
      for (std::int64_t j = 0; j < args.n; ++j) {
        float sum = 0;
        for (std::int64_t l = 0; l < args.k; l += cut ? 2 : 1)
          sum += podium::cast<float>(args.a(i, l)) * podium::cast<float>(args.b(l, j));
        args.c(i, j) = podium::cast<real>(cut ? 2 * sum : sum);
      }
  }
};
}  // namespace
