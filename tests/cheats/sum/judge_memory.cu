// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Reads the memory of the judge

// class: stealing the answer
// expect: wrong
// Expected values are in the memory of the judge's process. If any of it can be read, by /proc, by
// process_vm_readv, by its descriptors or as a debugger, the answer counts as stolen and is given; else it is
// 0.
#include "honest.hpp"
#include "judge_memory.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (judge_is_open())
      honest_sum(args, stream);
    else
      podium::check(cudaMemsetAsync(args.y.data, 0, sizeof(float), stream));
  }
};
}  // namespace
