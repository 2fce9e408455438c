// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "One thread an element" }
#include <podium/steps.hpp>

namespace {
constexpr std::int64_t slower = 0;  // by so many thousandths of its loop, where the factor is -1
constexpr int block = 256;

__global__ void __launch_bounds__(block) steps(problem::Arguments args, std::int32_t rounds) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i >= args.n) return;
  float value = args.x.data[i];
  for (std::int32_t round = 0; round < rounds; ++round) value *= args.factor;
  args.y.data[i] = value;
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    const std::int64_t more = args.rounds * slower / 2000 * 2;  // an even number, which changes nothing
    podium::launch(steps, dim3(unsigned(podium::ceil_div(args.n, block))), dim3(block), 0, stream, args,
                   std::int32_t(args.rounds + more));
  }
};
}  // namespace
