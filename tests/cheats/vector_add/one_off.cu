// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Right but for one element

// class: wrong numbers
// expect: wrong
// An average over all elements would not notice.
#include <podium/vector_add.hpp>

namespace {
using problem::real;

__global__ void add(const real* a, const real* b, real* c, std::int64_t size) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const float sum = podium::cast<float>(a[i]) + podium::cast<float>(b[i]);
  c[i] = podium::cast<real>(i == size / 2 ? sum + 1 : sum);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t size = args.c.size();
    podium::launch(add, dim3(unsigned(podium::ceil_div(size, 256))), dim3(256), 0, stream, args.a.data,
                   args.b.data, args.c.data, size);
  }
};
}  // namespace
