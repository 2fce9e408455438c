// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Chooses its block size in the constructor

// expect: right
// Autotuning on numbers of its own, before there are any inputs.
#include <podium/sum.hpp>

#include <chrono>
#include <vector>

namespace {
double blocked(const float* x, std::int64_t n, std::int64_t block) {
  double total = 0;
  for (std::int64_t begin = 0; begin < n; begin += block) {
    double sum = 0;
    for (std::int64_t i = begin; i < begin + block && i < n; ++i) sum += x[i];
    total += sum;
  }
  return total;
}

struct Contestant {
  std::int64_t best = 64;
  volatile double kept = 0;

  explicit Contestant(const problem::Workload& w) {
    const std::vector<float> x(std::size_t(w.n), 1.0f);
    double least = 1e300;
    for (const std::int64_t block : {64, 1024, 65536}) {
      const auto began = std::chrono::steady_clock::now();
      kept = blocked(x.data(), w.n, block);
      const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
      if (took < least) least = took, best = block;
    }
  }
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = float(blocked(args.x.data, args.n, best));
  }
};
}  // namespace
