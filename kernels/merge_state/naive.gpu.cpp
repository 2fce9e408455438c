// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread an element
//   author: Podium

// Both parts count with their share of the sum of all weights, 2^lse. The larger lse is taken out first,
// since a power of it may be beyond any float; the other may be -infinity, whose power is 0.
#include <podium/merge_state.hpp>

namespace {
using problem::real;
constexpr int block = 256;

__global__ void __launch_bounds__(block) merge(problem::Arguments args) {
  const std::int64_t item = std::int64_t(blockIdx.x) * block + threadIdx.x;
  const std::int64_t d = item % args.head_dim, h = item / args.head_dim % args.heads,
                     n = item / args.head_dim / args.heads;
  if (n >= args.rows) return;
  const float peak = fmaxf(args.s_a(n, h), args.s_b(n, h));
  const float a = exp2f(args.s_a(n, h) - peak), b = exp2f(args.s_b(n, h) - peak);
  const float x = podium::cast<float>(args.v_a(n, h, d)), y = podium::cast<float>(args.v_b(n, h, d));
  args.v(n, h, d) = podium::cast<real>((a * x + b * y) / (a + b));
  if (d == 0) args.s(n, h) = peak + log2f(a + b);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.v.size() == 0) return;
    podium::launch(merge, dim3(unsigned(podium::ceil_div(args.v.size(), block))), dim3(block), 0, stream,
                   args);
  }
};
}  // namespace
