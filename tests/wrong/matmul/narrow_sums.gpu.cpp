// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sums kept in the narrow dtype

// expect: wrong
// Lower precision than the problem asks for, rounded after every addition. Errors grow with k, so it is the
// workloads with a long k that show it.
#include "honest.hpp"

namespace {
__global__ void __launch_bounds__(block)
    narrow(podium::Tensor<const real, 2> a, podium::Tensor<const real, 2> b, real* c) {
  const std::int64_t n = b.extent(1), i = thread_index() / n, j = thread_index() % n;
  if (i >= a.extent(0)) return;
  real sum = podium::cast<real>(0.0f);
  for (std::int64_t l = 0; l < a.extent(1); ++l)
    sum = podium::cast<real>(podium::cast<float>(sum) +
                             podium::cast<float>(a(i, l)) * podium::cast<float>(b(l, j)));
  c[i * n + j] = sum;
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(narrow, blocks_for(args.c.size()), dim3(block), 0, stream, args.a, args.b, args.c.data);
  }
};
}  // namespace
