// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Never returns from its warm-up on what is timed

// class: sleeping in warm-up
// expect: hung
// A warm-up has a time limit like every answer.
#include "honest.hpp"

#include <unistd.h>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.n == 1024)
      for (;;) sleep(1);
    give_sum(args, stream);
  }
};
}  // namespace
