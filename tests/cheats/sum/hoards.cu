// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Takes all of the device's memory and keeps it beyond its instance

// class: crash, hang, fork bomb, memory hog
// expect: device error
// Its own process lacks memory for the stream of its second instance. What the judge needs it has before, and
// what was kept is free as soon as the process has ended: nobody else may fail for want of memory, or the
// problem be blamed.
#include "honest.hpp"

namespace {
struct Contestant {
  explicit Contestant(const problem::Workload&) {
    constexpr std::size_t least = std::size_t{2} << 20;
    void* at = nullptr;
    for (std::size_t piece = std::size_t{8} << 30; piece >= least; piece /= 2)
      while (cudaMalloc(&at, piece) == cudaSuccess) {
      }
    static_cast<void>(cudaGetLastError());
  }
  void run(const problem::Arguments& args, podium::Stream stream) { honest_sum(args, stream); }
};
}  // namespace
