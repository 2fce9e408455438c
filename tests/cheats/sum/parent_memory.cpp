// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Reads the memory of its parent

// class: stealing the answer
// expect: wrong
// needs: sandbox  (another user, or a parent that is closed)
// podium keeps the records and the order of the run. Every way into its memory is tried; if one is open
// the row says so, for then it throws.
#include <podium/sum.hpp>

#include <unistd.h>

#include "judge_memory.hpp"

#include <stdexcept>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const pid_t parent = getppid();
    if (reads_memory(parent) || copies_memory(parent) || opens_descriptors(parent) || traces(parent))
      throw std::runtime_error("podium's memory is open");
    args.y() = 12345;
  }
};
}  // namespace
