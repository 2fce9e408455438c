// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One block a row, k times the largest
//   author: Podium

// The element of rank r is the largest of those that come after the one of rank r - 1, where equal elements
// come in the order in which they stand. So the block looks for the largest k times; nothing is marked, the
// last one found says what is left. Much work, k times a row, but no memory beyond the outputs.
#include <podium/top_k.hpp>

namespace {
using problem::real;
constexpr int block = 256;

struct Candidate {
  float value;
  std::int64_t at;  // -1: none
};

// Whether a comes before b; none comes last.
__device__ bool before(Candidate a, Candidate b) {
  if (a.at < 0 || b.at < 0) return b.at < 0 && a.at >= 0;
  return a.value > b.value || (a.value == b.value && a.at < b.at);
}

__device__ Candidate first_of_block(Candidate mine) {  // the same in every thread
  __shared__ Candidate of_thread[block];
  __syncthreads();  // the result of the call before has been read
  of_thread[threadIdx.x] = mine;
  for (int half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half && before(of_thread[threadIdx.x + half], of_thread[threadIdx.x]))
      of_thread[threadIdx.x] = of_thread[threadIdx.x + half];
  }
  __syncthreads();
  return of_thread[0];
}

__global__ void __launch_bounds__(block)
    top_k(podium::Tensor<const real, 2> x, podium::Tensor<real, 2> values,
          podium::Tensor<std::int32_t, 2> indices) {
  const std::int64_t row = blockIdx.x, cols = x.extent(1), k = values.extent(1);
  Candidate last{INFINITY, -1};
  for (std::int64_t r = 0; r < k; ++r) {
    Candidate mine{0, -1};
    for (std::int64_t j = threadIdx.x; j < cols; j += block) {
      const Candidate here{podium::cast<float>(x(row, j)), j};
      if ((r == 0 || before(last, here)) && before(here, mine)) mine = here;
    }
    last = first_of_block(mine);
    if (threadIdx.x == 0) {
      values(row, r) = x(row, last.at);
      indices(row, r) = std::int32_t(last.at);
    }
  }
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.rows == 0 || args.k == 0) return;
    podium::launch(top_k, dim3(unsigned(args.rows)), dim3(block), 0, stream, args.x, args.values,
                   args.indices);
  }
};
}  // namespace
