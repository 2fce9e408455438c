// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Twice the distance in every pass
//   author: Podium
//   source: Hillis and Steele, Data parallel algorithms, 1986

// Adding to each element the one before it gives sums of two; adding to each of those the one two places
// before it gives sums of four; after p passes every element is the sum of the last 2^p up to it, which is
// all of them once 2^p >= n. A pass reads one array and writes another: nobody may read what is written at
// the same time. n is read and written log2(n) times, which is the price of so short a program.
#include <podium/prefix_sum.hpp>

namespace {
using problem::number;
constexpr int block = 256;

__global__ void __launch_bounds__(block)
    add_before(const number* in, number* out, std::int64_t n, std::int64_t distance) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i < n) out[i] = i < distance ? in[i] : in[i - distance] + in[i];
}

struct Contestant {
  number* other;
  int passes = 1;  // at least one: a single element has to get to y, too

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : other(workspace.device<number>(std::size_t(w.n))) {
    while (std::int64_t{1} << passes < w.n) ++passes;
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    const dim3 blocks(unsigned(podium::ceil_div(args.n, block)));
    const number* in = args.x.data;
    for (int pass = 0; pass < passes; ++pass) {
      number* const out = (passes - pass) % 2 == 1 ? args.y.data : other;  // the last pass writes y
      podium::launch(add_before, blocks, dim3(block), 0, stream, in, out, args.n, std::int64_t{1} << pass);
      in = out;
    }
  }
};
}  // namespace
