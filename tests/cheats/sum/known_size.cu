// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One answer for each size, kept on the device

// class: replay
// expect: wrong
// The simplest fingerprint of inputs is their size; a variable of the device outlives the instance.
#include "honest.hpp"

#include <map>

namespace {
constexpr std::size_t most = 64;  // sizes
__device__ float answers[most];
std::map<std::int64_t, std::size_t> known;

__global__ void keep(std::size_t place, const float* y) { answers[place] = *y; }
__global__ void give(std::size_t place, float* y) { *y = answers[place]; }

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto [place, fresh] = known.try_emplace(args.n, known.size() % most);
    if (fresh) {
      honest_sum(args, stream);
      podium::launch(keep, dim3(1), dim3(1), 0, stream, place->second, args.y.data);
    } else {
      podium::launch(give, dim3(1), dim3(1), 0, stream, place->second, args.y.data);
    }
  }
};
}  // namespace
