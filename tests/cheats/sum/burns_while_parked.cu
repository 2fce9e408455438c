// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Honest on its turn; kernels of its own keep the device busy on the others'

// class: sabotage
// expect: right
// with: --rounds 7
// gains nothing over: honest_alone.cu
// Its process stands still when others are on turn; its kernel computes on every multiprocessor, takes turns
// of the device, power and clock. Others would look slow beside it, and it would be ahead of its equal.
#include "while_parked.hpp"

namespace {
__global__ void burn(float* sink, const volatile int* recalled) {
  const unsigned long long began = nanoseconds();
  float a = float(threadIdx.x), b = 1.0f, c = 0.5f, d = 0.25f;
  while (*recalled == 0 && nanoseconds() - began < longest_errand)
    for (int i = 0; i < 4096; ++i)
      a = a * 1.0001f + b, b = b * 0.9999f + c, c = c * 1.0001f + d, d = d * 0.9f + a;
  if (a + b + c + d == 12345.678f) *sink = a;  // lest it is left out
}

struct Contestant {
  static inline float* sink = nullptr;  // outlives the instance

  Contestant(const problem::Workload&, podium::Workspace&, podium::Stream stream) {
    Errand::end();
    let_nobody_wait_for_more_than(stream);
    if (sink == nullptr) podium::check(cudaMalloc(reinterpret_cast<void**>(&sink), sizeof(float)));
  }
  ~Contestant() {
    cudaStreamSynchronize(waited_for);
    Errand::begin([](cudaStream_t stream, const volatile int* recalled) {
      podium::launch(burn, dim3(1056), dim3(256), 0, stream, sink, recalled);
    });
  }
  void run(const problem::Arguments& args, podium::Stream stream) { honest_sum(args, stream); }
};
}  // namespace
