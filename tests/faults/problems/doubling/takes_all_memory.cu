// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Takes the device's memory until there is none, and says so" }
#include <podium/doubling.hpp>

#include <cuda_runtime.h>

#include <stdexcept>

namespace {
struct Contestant {
  explicit Contestant(const problem::Workload&) {
    constexpr std::size_t piece = std::size_t{256} << 20;
    void* at = nullptr;
    while (cudaMalloc(&at, piece) == cudaSuccess) {
    }
    throw std::runtime_error("the device's memory is used up");
  }
  void run(const problem::Arguments&, podium::Stream) {}
};
}  // namespace
