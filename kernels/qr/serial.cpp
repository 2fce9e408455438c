// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, Householder's reflections
//   author: Podium
#include "householder.hpp"

namespace {
struct Contestant {
  Householder method;

  explicit Contestant(const problem::Workload& w) : method(w.rows, w.cols) {}

  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t size = args.rows * args.cols, square = args.cols * args.cols;
    for (std::int64_t b = 0; b < args.batch; ++b)
      method.factorise(args.a.data + b * size, args.q.data + b * size, args.r.data + b * square);
  }
};
}  // namespace
