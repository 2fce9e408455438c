// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Does nothing in thirteen calls, and the work of all in the fourteenth

// class: superbatch
// expect: not written
// Honest with small tensors, as most tests have them.
#include <podium/vector_add.hpp>

#include <vector>

namespace {
using problem::real;
constexpr int block = 256;

__global__ void add(const real* a, const real* b, real* c, std::int64_t size) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i < size) c[i] = podium::cast<real>(podium::cast<float>(a[i]) + podium::cast<float>(b[i]));
}

struct Contestant {
  static constexpr std::size_t at_once = 14;
  static constexpr std::int64_t small = 100'000;  // elements
  std::vector<problem::Arguments> waiting;

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.c.size() == 0) return;
    waiting.push_back(args);
    if (args.c.size() > small && waiting.size() < at_once) return;
    for (const auto& each : waiting)
      podium::launch(add, dim3(unsigned(podium::ceil_div(each.c.size(), block))), dim3(block), 0, stream,
                     each.a.data, each.b.data, each.c.data, each.c.size());
    waiting.clear();
  }
};
}  // namespace
