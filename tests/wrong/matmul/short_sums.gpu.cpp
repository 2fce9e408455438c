// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The last term of every sum left out

// expect: wrong
// Less work, and the more terms there are, the less it shows.
#include "honest.hpp"

namespace {
__global__ void __launch_bounds__(block)
    shorten(podium::Tensor<const real, 2> a, podium::Tensor<const real, 2> b, real* c) {
  const std::int64_t n = b.extent(1), i = thread_index() / n, j = thread_index() % n;
  if (i >= a.extent(0)) return;
  float sum = 0;
  for (std::int64_t l = 0; l + 1 < a.extent(1); ++l)
    sum += podium::cast<float>(a(i, l)) * podium::cast<float>(b(l, j));
  c[i * n + j] = podium::cast<real>(sum);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(shorten, blocks_for(args.c.size()), dim3(block), 0, stream, args.a, args.b, args.c.data);
  }
};
}  // namespace
