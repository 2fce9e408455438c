// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A sum whose parts another stream adds up, before the given one goes on. A helper: no contestant.
#pragma once
#include "parted_sum.hpp"

namespace {
// The whole block waits until the word is no longer `before`, 500 ms at most.
template <class Word>
__device__ void wait_for_another(const volatile Word* word, Word before) {
  const unsigned long long began = nanoseconds();
  if (threadIdx.x == 0)
    while (*word == before && nanoseconds() - began < 500'000'000) {
    }
  __syncthreads();
}

__device__ inline void finish_part(const float* x, std::int64_t n, double* parts, unsigned* finished) {
  add_part(x, n, parts);
  if (threadIdx.x > 0) return;
  __threadfence();
  atomicAdd(finished, 1u);
}

__global__ void hand_over(const volatile double* parts, float* y, const volatile unsigned* finished,
                          unsigned all) {
  while (*finished < all) {
  }
  __threadfence();
  add_parts(parts, y);
}

struct PartsAhead {
  explicit PartsAhead(podium::Workspace& workspace)
      : parts(workspace.device<double>(parted_blocks)), finished(workspace.device<unsigned>(1)) {}

  // Launches `watch`, which has finish_part() behind `arguments`, on the stream that is ahead; the given one
  // takes over.
  template <class... Before, class... Arguments>
  void run(const problem::Arguments& args, podium::Stream given, cudaStream_t ahead, void (*watch)(Before...),
           Arguments... arguments) {
    cudaStreamCaptureStatus status{};
    podium::check(cudaStreamIsCapturing(given, &status));
    podium::require(status == cudaStreamCaptureStatusNone, "it watches for one call");
    podium::launch(watch, dim3(parted_blocks), dim3(parted_threads), 0, ahead, arguments..., args.x.data,
                   args.n, parts, finished);
    all += parted_blocks;
    podium::launch(hand_over, dim3(1), dim3(1), 0, given, static_cast<const volatile double*>(parts),
                   args.y.data, static_cast<const volatile unsigned*>(finished), all);
  }

  double* parts;
  unsigned* finished;
  unsigned all = 0;
};
}  // namespace
