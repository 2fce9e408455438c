// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Guesses the seed from the clock and its process

// class: hard-coded constants, only one distribution
// expect: wrong
// Makes the first number of inputs with the suite's own generator from the seeds that programs like to
// use: small ones, the time, numbers of processes. A hit would give it all inputs of the call before it
// has read them; it gives an answer only then.
#include <podium/sum.hpp>

#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <vector>

#define PODIUM_GPU 0
#include "../../../suite/problem/program/fill.hpp"

namespace {
struct Contestant {
  static float first_of(std::uint64_t seed) {
    using namespace podium::program;
    const Block4 block = philox(seed, 0, stream_of(Stream::fill, 0));
    return float(normal_number(block.word[0], block.word[1]));
  }
  void run(const problem::Arguments& args, podium::Stream) {
    std::vector<std::uint64_t> seeds;
    for (std::uint64_t seed = 0; seed < 10'000; ++seed) seeds.push_back(seed);
    for (std::int64_t s = -60; s <= 0; ++s) seeds.push_back(std::uint64_t(time(nullptr) + s));
    for (const pid_t near : {getpid(), getppid()})
      for (pid_t pid = near - 100; pid <= near; ++pid) seeds.push_back(std::uint64_t(pid));
    args.y() = 12345;
    for (const std::uint64_t seed : seeds)
      if (first_of(seed) == args.x.data[0]) args.y() = args.x.data[0];
  }
};
}  // namespace
