// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A team of OpenMP threads
//   needs: [openmp]

// expect: right
// Its threads outlive every call, and spin for a while after it.
#include <podium/sum.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    double total = 0;
#pragma omp parallel for reduction(+ : total)
    for (std::int64_t i = 0; i < args.n; ++i) total += args.x.data[i];
    args.y() = float(total);
  }
};
}  // namespace
