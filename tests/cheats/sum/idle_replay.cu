// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Works when it is captured and rests when it is replayed

// class: graph tricks
// expect: right
// gains nothing over: honest_alone.cu
// void: graph
// Its kernel counts how often it runs: in a graph, the first replay alone makes the sum. Every replay is
// checked like any other call, so the column of graphs says what was found and has no time; calls that
// rank are honest.
#include "honest.hpp"

namespace {
__global__ void first_time(const float* x, float* y, std::int64_t n, int* times) {  // one block
  __shared__ double partial[honest_threads];
  if (*times > 0) return;
  double total = 0;
  for (std::int64_t i = threadIdx.x; i < n; i += honest_threads) total += x[i];
  partial[threadIdx.x] = total;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int t = 1; t < honest_threads; ++t) total += partial[t];
  *y = float(total);
  *times = 1;
}

struct Contestant {
  int* times;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : times(workspace.device<int>(1)) {}
  void run(const problem::Arguments& args, podium::Stream stream) {
    cudaStreamCaptureStatus status{};
    podium::check(cudaStreamIsCapturing(stream, &status));
    if (status == cudaStreamCaptureStatusNone) return honest_sum(args, stream);
    podium::launch(first_time, dim3(1), dim3(honest_threads), 0, stream, args.x.data, args.y.data, args.n,
                   times);
  }
};
}  // namespace
