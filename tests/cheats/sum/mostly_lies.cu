// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Lies about two calls of three

// class: patched clock or statistics
// expect: clock
// The median is a lie as soon as more than half of the times are; one call in three keeps to the truth, so
// that whoever looks at the best quarter sees nothing. What is left, 1 of 3 ms, is too long to be looked
// at several calls at a time.
#include <cuda.h>

#include "honest.hpp"
#include "overwritten_driver.hpp"

namespace {
int calls = 0;
CUresult sometimes(float* milliseconds, CUevent, CUevent) {
  *milliseconds = calls % 3 == 0 ? 3.01f : 1.0f;
  return CUDA_SUCCESS;
}

struct Contestant {
  Contestant() {
    overwrite_driver("cuEventElapsedTime", &sometimes);
    overwrite_driver("cuEventElapsedTime_v2", &sometimes);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    ++calls;
    podium::launch(busy_kernel, dim3(1), dim3(1), 0, stream, 3'000'000ll);
    honest_sum(args, stream);
  }
};
}  // namespace
