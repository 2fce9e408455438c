// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Launches its work when the call has returned

// class: side stream, late work
// expect: not written | wrong | out of bounds
// A thread of its own launches the sum when the clock has stopped. The delay makes it visible at any size.
#include "honest.hpp"

#include <chrono>
#include <thread>

namespace {
struct Contestant {
  cudaStream_t side{};
  std::thread late;

  Contestant() { podium::check(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking)); }
  ~Contestant() {
    if (late.joinable()) late.join();
    cudaStreamSynchronize(side);
    cudaStreamDestroy(side);
  }
  void run(const problem::Arguments& args, podium::Stream) {
    if (late.joinable()) late.join();
    late = std::thread([this, args] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      honest_sum(args, side);
    });
  }
};
}  // namespace
