// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Transposes one operand in every call

// expect: right
// Half of its work is moving numbers.
#include <podium/matmul.hpp>

#include <vector>

namespace {
using problem::real;

struct Contestant {
  std::vector<float> columns, row;

  explicit Contestant(const problem::Workload& w) : columns(std::size_t(w.k * w.n)), row(std::size_t(w.k)) {}
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t l = 0; l < args.k; ++l)
      for (std::int64_t j = 0; j < args.n; ++j)
        columns[std::size_t(j * args.k + l)] = podium::cast<float>(args.b(l, j));
    for (std::int64_t i = 0; i < args.m; ++i) {
      for (std::int64_t l = 0; l < args.k; ++l) row[std::size_t(l)] = podium::cast<float>(args.a(i, l));
      for (std::int64_t j = 0; j < args.n; ++j) {
        const float* column = columns.data() + j * args.k;
        float sum = 0;
        for (std::int64_t l = 0; l < args.k; ++l) sum += row[std::size_t(l)] * column[l];
        args.c(i, j) = podium::cast<real>(sum);
      }
    }
  }
};
}  // namespace
