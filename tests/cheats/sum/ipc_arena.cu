// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Makes a handle of the shared memory for other processes

// class: stealing the answer
// expect: threw
// A handle of CUDA's IPC opens the whole block beneath an address, for whoever gets it. The judge's memory is
// of a kind that has none.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    cudaIpcMemHandle_t handle{};
    podium::check(cudaIpcGetMemHandle(&handle, args.y.data));
    honest_sum(args, stream);
  }
};
}  // namespace
