// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The worker waits for the whole device before it says that a call is done. Here it waits for the given
// stream alone, whatever else the process has running. A helper: no contestant.
#pragma once
#include <cuda.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "overwritten_driver.hpp"

namespace {
cudaStream_t waited_for{};
std::atomic<int> waits{0};  // that have ended

CUresult wait_for_the_given_stream() {
  const cudaError_t status = cudaStreamSynchronize(waited_for);
  ++waits;
  return status == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

inline void let_nobody_wait_for_more_than(podium::Stream stream) {
  waited_for = stream;
  for (const char* name : {"cuCtxSynchronize", "cuCtxSynchronize_v2"})
    overwrite_driver(name, &wait_for_the_given_stream);
  const int before = waits;
  podium::check(cudaDeviceSynchronize());
  podium::require(waits > before, "this cheat did not find the function that waits for the device");
}

// Does something when the worker has stopped waiting for a call, and has said so: some microseconds later.
class AfterTheWord {
 public:
  AfterTheWord(std::chrono::microseconds later, std::function<void()> work)
      : later_(later), work_(std::move(work)), thread_([this] { watch(); }) {}
  ~AfterTheWord() {
    over_ = true;
    thread_.join();
  }
  AfterTheWord(const AfterTheWord&) = delete;
  AfterTheWord& operator=(const AfterTheWord&) = delete;

  void await() { from_ = waits.load(); }  // the end of the call that begins now

 private:
  void watch() {
    while (!over_) {
      const int from = from_.load();
      if (from < 0 || waits == from) continue;
      from_ = -1;
      const auto until = std::chrono::steady_clock::now() + later_;
      while (std::chrono::steady_clock::now() < until) {
      }
      work_();
    }
  }

  std::chrono::microseconds later_;
  std::function<void()> work_;
  std::atomic<int> from_{-1};
  std::atomic<bool> over_{false};
  std::thread thread_;
};
}  // namespace
