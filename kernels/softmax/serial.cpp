// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, the library's exp
//   author: Podium
#include <podium/softmax.hpp>

#include <cmath>
#include <vector>

namespace {
struct Contestant {
  std::vector<float> row;

  explicit Contestant(const problem::Workload& w) : row(std::size_t(w.cols)) {}

  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.rows; ++i) {
      float peak = -INFINITY;
      double total = 0;  // one float would lose more with every term of a long row
      for (std::int64_t j = 0; j < args.cols; ++j)
        peak = std::fmax(peak, row[std::size_t(j)] = podium::cast<float>(args.x(i, j)));
      for (auto& v : row) total += v = std::exp(v - peak);
      for (std::int64_t j = 0; j < args.cols; ++j)
        args.y(i, j) = podium::cast<problem::real>(float(row[std::size_t(j)] / total));
    }
  }
};
}  // namespace
