// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Each keeps its stripe of its own product

// expect: wrong
#include <podium/matmul_reduce_scatter.hpp>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t rows = args.c.extent(0);
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < args.n; ++j) {
        float sum = 0;
        for (std::int64_t p = 0; p < args.k; ++p)
          sum +=
              podium::cast<float>(args.a(args.team.rank * rows + i, p)) * podium::cast<float>(args.b(p, j));
        args.c(i, j) = podium::cast<real>(sum);
      }
  }
};
}  // namespace
