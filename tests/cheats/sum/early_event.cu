// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Records the stop event before the work

// class: patched clock or statistics
// expect: clock
// The driver's function that records events is overwritten: what the worker records second is its stop
// event, known from the warm-up, and that is recorded first.
#include <cuda.h>

#include "honest.hpp"
#include "overwritten_driver.hpp"

namespace {
int records = 0;  // by the worker, of one call: start, stop
CUevent stop{};
CUstream on{};

CUresult record(CUevent event, CUstream stream) {
  if (++records % 2 == 0 && stop == event) return CUDA_SUCCESS;  // it was, before the work
  if (records % 2 == 0) stop = event, on = stream;
  return cudaEventRecordWithFlags(event, stream, 0) == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

struct Contestant {
  Contestant() {
    records = 0;
    stop = {};
    overwrite_driver("cuEventRecord", &record);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (stop != nullptr) podium::check(cudaEventRecordWithFlags(stop, stream, 0));
    podium::launch(busy_kernel, dim3(1), dim3(1), 0, stream, 2'000'000ll);
    honest_sum(args, stream);
  }
};
}  // namespace
