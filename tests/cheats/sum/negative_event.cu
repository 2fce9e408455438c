// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Reports less than no time

// class: underflow of the aggregate
// expect: broke protocol
// A negative time drags every mean down.
#include <cuda.h>

#include "honest.hpp"
#include "overwritten_driver.hpp"

namespace {
CUresult less(float* milliseconds, CUevent, CUevent) {
  *milliseconds = -1;
  return CUDA_SUCCESS;
}

struct Contestant {
  Contestant() {
    overwrite_driver("cuEventElapsedTime", &less);
    overwrite_driver("cuEventElapsedTime_v2", &less);
  }
  void run(const problem::Arguments& args, podium::Stream stream) { honest_sum(args, stream); }
};
}  // namespace
