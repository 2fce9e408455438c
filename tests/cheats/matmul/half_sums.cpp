// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Accumulates products in half precision

// class: lower precision
// expect: wrong
// Tensor cores with f16 accumulators are twice as fast as those with f32; the products of f16 numbers
// deserve better.
#include <podium/matmul.hpp>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.m; ++i)
      for (std::int64_t j = 0; j < args.n; ++j) {
        _Float16 sum = 0;
        for (std::int64_t l = 0; l < args.k; ++l)
          sum =
              _Float16(sum + _Float16(podium::cast<float>(args.a(i, l)) * podium::cast<float>(args.b(l, j))));
        args.c(i, j) = podium::cast<real>(float(sum));
      }
  }
};
}  // namespace
