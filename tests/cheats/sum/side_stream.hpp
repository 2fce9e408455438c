// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A stream of the contestant's own, on which work goes on from the given one and is never joined. A helper:
// no contestant.
#pragma once
#include <podium/sum.hpp>

namespace {
class SideStream {
 public:
  SideStream() {
    podium::check(cudaStreamCreateWithFlags(&side_, cudaStreamNonBlocking));
    podium::check(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
  }
  ~SideStream() {
    cudaEventDestroy(fork_);
    cudaStreamDestroy(side_);
  }
  SideStream(const SideStream&) = delete;
  SideStream& operator=(const SideStream&) = delete;
  cudaStream_t get() const { return side_; }
  cudaStream_t from(podium::Stream stream) {  // behind what is on it now
    podium::check(cudaEventRecord(fork_, stream));
    podium::check(cudaStreamWaitEvent(side_, fork_, 0));
    return side_;
  }

 private:
  cudaStream_t side_{};
  cudaEvent_t fork_{};
};
}  // namespace
