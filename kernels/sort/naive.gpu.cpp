// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Bitonic network, one launch a step
//   author: Podium
//   source: Batcher, Sorting networks and their applications, 1968

// A network of compare-and-exchange steps that sorts any 2^p numbers: sequences that rise and fall in turn
// are merged into ones twice as long. Which elements are compared does not depend on their values, which
// suits a GPU, but there are p (p + 1) / 2 steps, and each reads and writes everything. Other lengths are
// filled up with +inf.
#include <podium/sort.hpp>

namespace {
constexpr int block = 256;

__global__ void __launch_bounds__(block) fill(const float* x, std::int64_t n, float* v, std::int64_t padded) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i < padded) v[i] = i < n ? x[i] : INFINITY;
}

// Thread t compares the t-th pair of elements that are `stride` apart; sequences of `length` rise and fall in
// turn.
__global__ void __launch_bounds__(block)
    step(float* v, std::int64_t pairs, std::int64_t length, std::int64_t stride) {
  const std::int64_t t = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (t >= pairs) return;
  const std::int64_t i = t / stride * stride * 2 + t % stride, j = i + stride;
  const float low = v[i], high = v[j];
  const bool rising = (i & length) == 0;
  if (rising ? low > high : low < high) {
    v[i] = high;
    v[j] = low;
  }
}

__global__ void __launch_bounds__(block) copy(const float* v, float* y, std::int64_t n) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i < n) y[i] = v[i];
}

struct Contestant {
  std::int64_t padded = 1;
  float* v;

  Contestant(const problem::Workload& w, podium::Workspace& workspace) {
    while (padded < w.n) padded *= 2;
    v = workspace.device<float>(std::size_t(padded));
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    const auto blocks = [](std::int64_t threads) { return dim3(unsigned(podium::ceil_div(threads, block))); };
    podium::launch(fill, blocks(padded), dim3(block), 0, stream, args.x.data, args.n, v, padded);
    for (std::int64_t length = 2; length <= padded; length *= 2)
      for (std::int64_t stride = length / 2; stride > 0; stride /= 2)
        podium::launch(step, blocks(padded / 2), dim3(block), 0, stream, v, padded / 2, length, stride);
    podium::launch(copy, blocks(args.n), dim3(block), 0, stream, v, args.y.data, args.n);
  }
};
}  // namespace
