// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Each multiplies its own stripe for all

// expect: wrong
#include <podium/all_gather_matmul.hpp>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t rows = args.a.extent(0);
    for (std::int64_t i = 0; i < args.m; ++i)
      for (std::int64_t j = 0; j < args.n; ++j) {
        float sum = 0;
        for (std::int64_t p = 0; p < args.k; ++p)
          sum += podium::cast<float>(args.a(i % rows, p)) * podium::cast<float>(args.b(p, j));
        args.c(i, j) = podium::cast<real>(sum);
      }
  }
};
}  // namespace
