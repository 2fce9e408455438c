// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Accumulates in f64

// expect: right
// More precision than the reference asks for, row by row of the second operand.
#include <podium/matmul.hpp>

#include <vector>

namespace {
using problem::real;

struct Contestant {
  std::vector<double> b, sums;

  explicit Contestant(const problem::Workload& w) : b(std::size_t(w.k * w.n)), sums(std::size_t(w.n)) {}
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::size_t at = 0; at < b.size(); ++at) b[at] = podium::cast<float>(args.b.data[at]);
    for (std::int64_t i = 0; i < args.m; ++i) {
      sums.assign(sums.size(), 0.0);
      for (std::int64_t l = 0; l < args.k; ++l) {
        const double factor = podium::cast<float>(args.a(i, l));
        for (std::int64_t j = 0; j < args.n; ++j)
          sums[std::size_t(j)] += factor * b[std::size_t(l * args.n + j)];
      }
      for (std::int64_t j = 0; j < args.n; ++j)
        args.c(i, j) = podium::cast<real>(float(sums[std::size_t(j)]));
    }
  }
};
}  // namespace
