// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Streams of two priorities, forked and joined

// expect: right
// What the end depends on goes first: the parts on a stream of the highest priority, beside a table on one of
// the lowest.
#include "parts.hpp"

namespace {
__global__ void ones(double* table) { table[blockIdx.x] = 1; }
__global__ void weighted_sum(const double* parts, const double* table, float* y) {
  double total = 0;
  for (int b = 0; b < blocks; ++b) total += parts[b] * table[b];
  *y = float(total);
}

struct Contestant {
  double *parts, *table;
  cudaStream_t first{}, last{};
  cudaEvent_t fork{}, done_first{}, done_last{};

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : parts(workspace.device<double>(blocks)), table(workspace.device<double>(blocks)) {
    int least = 0, greatest = 0;
    podium::check(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    podium::check(cudaStreamCreateWithPriority(&first, cudaStreamNonBlocking, greatest));
    podium::check(cudaStreamCreateWithPriority(&last, cudaStreamNonBlocking, least));
    for (cudaEvent_t* event : {&fork, &done_first, &done_last})
      podium::check(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  }
  ~Contestant() {
    for (const cudaEvent_t event : {fork, done_first, done_last}) cudaEventDestroy(event);
    cudaStreamDestroy(last);
    cudaStreamDestroy(first);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::check(cudaEventRecord(fork, stream));
    podium::check(cudaStreamWaitEvent(first, fork, 0));
    podium::check(cudaStreamWaitEvent(last, fork, 0));
    podium::launch(ones, dim3(blocks), dim3(1), 0, last, table);
    podium::launch(part_sums, dim3(blocks), dim3(threads), 0, first, args.x.data, args.n, parts);
    podium::check(cudaEventRecord(done_first, first));
    podium::check(cudaEventRecord(done_last, last));
    podium::check(cudaStreamWaitEvent(stream, done_first, 0));
    podium::check(cudaStreamWaitEvent(stream, done_last, 0));
    podium::launch(weighted_sum, dim3(1), dim3(1), 0, stream, static_cast<const double*>(parts),
                   static_cast<const double*>(table), args.y.data);
  }
};
}  // namespace
