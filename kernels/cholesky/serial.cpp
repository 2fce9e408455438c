// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, row after row
//   author: Podium

// Element (i, j) of l lᵀ is the product of rows i and j, and with j <= i all but l(i, j) of these is known
// when its turn comes.
#include <podium/cholesky.hpp>

#include <cmath>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const auto& l = args.l;
    for (std::int64_t b = 0; b < args.batch; ++b)
      for (std::int64_t i = 0; i < args.n; ++i) {
        for (std::int64_t j = 0; j <= i; ++j) {
          real rest = args.a(b, i, j);
          for (std::int64_t k = 0; k < j; ++k) rest -= l(b, i, k) * l(b, j, k);
          l(b, i, j) = i == j ? std::sqrt(rest) : rest / l(b, j, j);
        }
        for (std::int64_t j = i + 1; j < args.n; ++j) l(b, i, j) = 0;
      }
  }
};
}  // namespace
