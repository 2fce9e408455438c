// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "A loop" }
#include <podium/steps.hpp>

namespace {
constexpr std::int64_t slower = 0;  // by so many thousandths

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t rounds = args.rounds, more = rounds * slower / 1000;
    for (std::int64_t i = 0; i < args.n; ++i) {
      float value = args.x(i);
      for (std::int64_t round = 0; round < rounds; ++round) value *= args.factor;
      float vain = value;
      for (std::int64_t round = 0; round < more; ++round) vain *= args.factor;
      args.y(i) = vain != vain ? vain : value;  // never chosen, which the compiler cannot know
    }
  }
};
}  // namespace
