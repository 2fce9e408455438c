// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Adds up pairwise in f32, by recursion

// expect: right
// Another order of additions, and a stack that is used.
#include <podium/sum.hpp>

namespace {
float pairwise(const float* x, std::int64_t n) {
  if (n > 16) return pairwise(x, n / 2) + pairwise(x + n / 2, n - n / 2);
  float sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += x[i];
  return sum;
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) { args.y() = pairwise(args.x.data, args.n); }
};
}  // namespace
