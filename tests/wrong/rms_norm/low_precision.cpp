// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The sum of squares in bf16

// expect: wrong
// As a tree, which is the best that such short numbers allow.
#include <vector>

#include "honest.hpp"

namespace {
struct Contestant {
  std::vector<podium::bf16> square;

  void run(const problem::Arguments& args, podium::Stream) {
    honest(
        args,
        [&](std::int64_t t) { return 1 / std::sqrt(tree(args, t) / double(args.hidden) + problem::epsilon); },
        [&](std::int64_t t, std::int64_t i, real sum, real y) {
          args.residual(t, i) = sum;
          args.y(t, i) = y;
        });
  }

  double tree(const problem::Arguments& args, std::int64_t t) {
    square.clear();
    for (std::int64_t i = 0; i < args.hidden; ++i)
      square.push_back(podium::cast<podium::bf16>(sum_of(args, t, i) * sum_of(args, t, i)));
    for (; square.size() > 1; square.resize((square.size() + 1) / 2))
      for (std::size_t i = 0; i + 1 <= square.size() / 2; ++i) {
        const std::size_t far = square.size() - 1 - i;
        square[i] =
            podium::cast<podium::bf16>(podium::cast<float>(square[i]) + podium::cast<float>(square[far]));
      }
    return podium::cast<float>(square[0]);
  }
};
}  // namespace
