// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Waits inside the call, and lies about two thirds of its time

// class: patched clock or statistics
// expect: clock
// Of a call that waits the judge's interval has the launch in it, and scatters more: that must not excuse
// 2 of 3 ms.
#include <cuda.h>

#include "honest.hpp"
#include "overwritten_driver.hpp"

namespace {
CUresult always(float* milliseconds, CUevent, CUevent) {
  *milliseconds = 1.0f;
  return CUDA_SUCCESS;
}

struct Contestant {
  Contestant() {
    overwrite_driver("cuEventElapsedTime", &always);
    overwrite_driver("cuEventElapsedTime_v2", &always);
  }
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(busy_kernel, dim3(1), dim3(1), 0, stream, 3'000'000ll);
    honest_sum(args, stream);
    cudaStreamSynchronize(stream);
  }
};
}  // namespace
