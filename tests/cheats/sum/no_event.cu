// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Reports that no time has passed

// class: underflow of the aggregate
// expect: clock | too fast
// Zero milliseconds between any two events: a mean of logarithms becomes minus infinity.
#include <cuda.h>

#include "honest.hpp"
#include "overwritten_driver.hpp"

namespace {
CUresult nothing(float* milliseconds, CUevent, CUevent) {
  *milliseconds = 0;
  return CUDA_SUCCESS;
}

struct Contestant {
  Contestant() {
    overwrite_driver("cuEventElapsedTime", &nothing);
    overwrite_driver("cuEventElapsedTime_v2", &nothing);
  }
  void run(const problem::Arguments& args, podium::Stream stream) { honest_sum(args, stream); }
};
}  // namespace
