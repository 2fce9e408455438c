// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "One thread an element" }
#include <podium/steps.hpp>

namespace {
constexpr std::int64_t slower = 0;  // by so many thousandths
constexpr int block = 256;

__global__ void __launch_bounds__(block) steps(problem::Arguments args, std::int32_t more) {
  const std::int64_t i = std::int64_t(blockIdx.x) * block + threadIdx.x;
  if (i >= args.n) return;
  float value = args.x.data[i];
  for (std::int32_t round = 0; round < std::int32_t(args.rounds); ++round) value *= args.factor;
  float vain = value;
  for (std::int32_t round = 0; round < more; ++round) vain *= args.factor;
  args.y.data[i] = vain != vain ? vain : value;  // never chosen, which the compiler cannot know
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 0) return;
    const auto more = std::int32_t(args.rounds * slower / 1000);
    podium::launch(steps, dim3(unsigned(podium::ceil_div(args.n, block))), dim3(block), 0, stream, args,
                   more);
  }
};
}  // namespace
