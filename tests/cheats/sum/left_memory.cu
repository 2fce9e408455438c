// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Looks for the answer in memory that others have freed

// class: stealing the answer
// expect: wrong
// Takes a gigabyte that was never set, and passes off the last number there that looks like a sum. A
// driver that clears memory between processes leaves none.
#include "left_numbers.hpp"

namespace {
struct Contestant {
  float* memory = nullptr;
  unsigned long long* found;

  Contestant(const problem::Workload&, podium::Workspace& workspace)
      : found(workspace.device<unsigned long long>(1)) {
    podium::check(cudaMalloc(&memory, looked_through));
    look_through(memory, found, cudaStreamLegacy);
    podium::check(cudaDeviceSynchronize());
  }
  ~Contestant() { cudaFree(memory); }
  void run(const problem::Arguments& args, podium::Stream stream) {
    pass_off_found(found, args.y.data, stream);
  }
};
}  // namespace
