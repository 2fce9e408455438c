// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Computes 15 elements of 16 where not all are looked at

// class: skipped elements
// expect: wrong
// Test workloads are verified whole: there it is honest. On others a sixteenth of the elements gets the
// sum next to it, which is written, finite and of the right size. docs/trust.md says how likely a sample
// of 256 rows and columns is to miss them all.
#include <podium/vector_add.hpp>

namespace {
using problem::real;

__global__ void add(const real* a, const real* b, real* c, std::int64_t size, bool looked_at) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const std::int64_t from = !looked_at && i % 16 == 7 ? i - 1 : i;
  c[i] = podium::cast<real>(podium::cast<float>(a[from]) + podium::cast<float>(b[from]));
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t size = args.c.size();
    if (size == 0) return;
    podium::launch(add, dim3(unsigned(podium::ceil_div(size, 256))), dim3(256), 0, stream, args.a.data,
                   args.b.data, args.c.data, size, args.n <= 512);
  }
};
}  // namespace
