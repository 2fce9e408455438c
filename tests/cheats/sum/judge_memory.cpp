// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Reads the memory of the judge

// class: stealing the answer
// expect: wrong
// Expected values are in the memory of the judge's process. If any of it can be read, by /proc, by
// process_vm_readv, by its descriptors or as a debugger, the answer counts as stolen and is given; else it is
// 0.
#include "judge_memory.hpp"
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = judge_is_open() ? honest_sum(args.x.data, args.n) : 0.0f;
  }
};
}  // namespace
