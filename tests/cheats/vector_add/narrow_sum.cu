// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Adds in bf16 what is given in f32

// class: lower precision
// expect: wrong
// Eight bits of 24: right to two digits. Where the problem is in f16 it loses three bits.
#include <cuda_bf16.h>

#include <podium/vector_add.hpp>

namespace {
using problem::real;

__global__ void add(const real* a, const real* b, real* c, std::int64_t size) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const float sum = __bfloat162float(__float2bfloat16(podium::cast<float>(a[i]))) +
                    __bfloat162float(__float2bfloat16(podium::cast<float>(b[i])));
  c[i] = podium::cast<real>(__bfloat162float(__float2bfloat16(sum)));
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t size = args.c.size();
    if (size == 0) return;
    podium::launch(add, dim3(unsigned(podium::ceil_div(size, 256))), dim3(256), 0, stream, args.a.data,
                   args.b.data, args.c.data, size);
  }
};
}  // namespace
