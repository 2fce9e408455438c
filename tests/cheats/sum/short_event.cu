// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Starts its clock 15 µs late

// class: patched clock or statistics
// expect: clock
// The driver's function that records events is overwritten: of each call's two events the first is recorded
// when 15 µs have been worked already. One call's lie is lost in the scatter of the judge's clock; the sum of
// several calls behind one gate shows it.
#include <cuda.h>

#include "honest.hpp"
#include "overwritten_driver.hpp"
#include "quick_sum.hpp"

namespace {
CUevent start{};   // of a call that is about to come, not yet recorded
bool due = false;  // the next event is a call's second

CUresult record(CUevent event, CUstream stream) {
  due = !due;
  if (due) return start = event, CUDA_SUCCESS;
  return cudaEventRecordWithFlags(event, stream, 0) == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_UNKNOWN;
}

struct Contestant {
  QuickSum sum;

  Contestant(const problem::Workload&, podium::Workspace& workspace) : sum(workspace) {
    start = {};
    due = false;
    overwrite_driver("cuEventRecord", &record);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(busy_kernel, dim3(1), dim3(1), 0, stream, 15'000ll);
    if (start != nullptr) podium::check(cudaEventRecordWithFlags(start, stream, 0));
    start = {};
    sum(args, stream);
  }
};
}  // namespace
