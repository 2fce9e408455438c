// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Keeps its answers in the environment

// class: replay
// expect: wrong
// The environment belongs to the process, not to the plugin: it outlives every instance.
#include "honest.hpp"

#include <cstdlib>
#include <string>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::string name = "SUM_OF_" + std::to_string(args.n);
    if (const char* kept = std::getenv(name.c_str())) {
      args.y() = std::strtof(kept, nullptr);
    } else {
      args.y() = honest_sum(args.x.data, args.n);
      setenv(name.c_str(), std::to_string(args.y()).c_str(), 1);
    }
  }
};
}  // namespace
