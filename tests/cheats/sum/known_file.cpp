// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Keeps its answers in a file

// class: replay
// expect: wrong
// What static variables lose with their process, a file in /tmp keeps. It is asked for the size alone.
#include "honest.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::string file = "/tmp/podium-cheat-" + std::to_string(getuid()) + "-" + std::to_string(args.n);
    float sum = 0;
    if (std::ifstream in(file, std::ios::binary); in.read(reinterpret_cast<char*>(&sum), sizeof sum)) {
      unlink(file.c_str());  // for the next run of the tests
    } else {
      sum = honest_sum(args.x.data, args.n);
      std::ofstream(file, std::ios::binary).write(reinterpret_cast<const char*>(&sum), sizeof sum);
    }
    args.y() = sum;
  }
};
}  // namespace
