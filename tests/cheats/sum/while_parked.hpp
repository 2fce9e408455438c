// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A kernel that goes on when the instance is gone and its process stands still, until the next instance is
// made or twenty seconds have passed: as long as others are on turn. A helper: no contestant.
#pragma once
#include "arena.hpp"
#include "honest.hpp"
#include "side_stream.hpp"
#include "unwaited.hpp"

namespace {
constexpr unsigned long long longest_errand = 20'000'000'000;  // nanoseconds

__device__ inline unsigned long long nanoseconds() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

// Of this process, not of an instance.
class Errand {
 public:
  // `launch(stream, recalled)`, when the instance ends; the kernel ends when `*recalled` is not 0.
  template <class Launch>
  static void begin(const Launch& launch) {
    *word() = 0;
    launch(stream(), static_cast<const volatile int*>(word()));
  }
  static void end() {
    *word() = 1;
    cudaStreamSynchronize(stream());
  }

 private:
  static volatile int* word() {
    static int* const at = [] {
      void* made = nullptr;
      podium::check(cudaHostAlloc(&made, sizeof(int), cudaHostAllocDefault));
      return static_cast<int*>(made);
    }();
    return at;
  }
  static cudaStream_t stream() {
    static cudaStream_t const made = [] {
      cudaStream_t stream{};
      podium::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
      return stream;
    }();
    return made;
  }
};
}  // namespace
