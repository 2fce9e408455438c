// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Takes all of the device's memory and keeps it beyond its instance

// class: crash, hang, fork bomb, memory hog
// expect: out of memory
// What is missing of the device's memory comes back as soon as its process has ended, and is missing again
// with a second one: it was its own. What the judge needs it has before: nobody else may fail for want of
// memory, or the problem be blamed.
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
