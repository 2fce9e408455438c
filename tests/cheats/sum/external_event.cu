// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A graph records the stop event before its work

// class: patched clock or statistics
// expect: clock | too fast
// As early_event, but the worker's second event, known from the warm-up, is recorded by a node of a graph
// that has the work behind it: no function that records events is called for it.
#include <cuda.h>

#include "honest.hpp"
#include "overwritten_driver.hpp"

namespace {
int records = 0;  // by the worker, of one call: start, stop
CUevent stop{};

CUresult record(CUevent event, CUstream stream) {
  if (++records % 2 == 0 && stop == event) return CUDA_SUCCESS;  // it was, before the work
  if (records % 2 == 0) stop = event;
  return cudaEventRecordWithFlags(event, stream, 0) == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

struct Contestant {
  cudaStream_t own{};

  Contestant() {
    records = 0;
    stop = {};
    overwrite_driver("cuEventRecord", &record);
    podium::check(cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking));
  }
  ~Contestant() { cudaStreamDestroy(own); }
  void run(const problem::Arguments& args, podium::Stream stream) {
    cudaGraph_t graph{};
    cudaGraphExec_t ready{};
    podium::check(cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal));
    if (stop != nullptr) podium::check(cudaEventRecordWithFlags(stop, own, cudaEventRecordExternal));
    podium::launch(busy_kernel, dim3(1), dim3(1), 0, own, 2'000'000ll);
    honest_sum(args, own);
    podium::check(cudaStreamEndCapture(own, &graph));
    podium::check(cudaGraphInstantiate(&ready, graph, 0));
    podium::check(cudaGraphLaunch(ready, stream));
    podium::check(cudaGraphExecDestroy(ready));
    podium::check(cudaGraphDestroy(graph));
  }
};
}  // namespace
