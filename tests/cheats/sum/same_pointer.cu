// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Answers by address

// class: pointer caching
// expect: wrong
// Computes once for every address of the input, to 64 KiB, and gives the same answer whenever that address
// comes back: addresses are drawn for every call, over about as much, so that one of the first three calls
// meets another's.
#include "honest.hpp"

#include <map>

namespace {
constexpr std::size_t most = 1024;  // addresses
__device__ float answers[most];     // both outlive the instance
std::map<std::uintptr_t, std::size_t> known;
constexpr std::uintptr_t apart = 64 << 10;

__global__ void keep(std::size_t place, const float* y) { answers[place] = *y; }
__global__ void give(std::size_t place, float* y) { *y = answers[place]; }

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    const auto address = reinterpret_cast<std::uintptr_t>(args.x.data) / apart;
    const auto [place, fresh] = known.try_emplace(address, known.size() % most);
    if (fresh) {
      honest_sum(args, stream);
      podium::launch(keep, dim3(1), dim3(1), 0, stream, place->second, args.y.data);
    } else {
      podium::launch(give, dim3(1), dim3(1), 0, stream, place->second, args.y.data);
    }
  }
};
}  // namespace
