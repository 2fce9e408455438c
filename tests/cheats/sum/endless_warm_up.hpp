// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What endless_warm_up.cpp does, and endless_warm_up.cu. A helper: no contestant.
#pragma once
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
