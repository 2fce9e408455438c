// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Clears the error that its kernel leaves

// class: error swallowing
// expect: device error | not written | wrong
// The kernel reads where nothing is; asking for the last error clears those that can be cleared.
#include "honest.hpp"

namespace {
__global__ void read_nowhere(float* y) { *y = *reinterpret_cast<const float*>(std::uintptr_t{8}); }

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    read_nowhere<<<1, 1, 0, stream>>>(args.y.data);
    static_cast<void>(cudaGetLastError());
  }
};
}  // namespace
