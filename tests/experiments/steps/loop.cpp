// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "A loop" }
#include <podium/steps.hpp>

namespace {
constexpr std::int64_t slower = 0;  // by so many thousandths of its loop, where the factor is -1

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t more = args.rounds * slower / 2000 * 2;  // an even number, which changes nothing
    const std::int64_t rounds = args.rounds + more;
    for (std::int64_t i = 0; i < args.n; ++i) {
      float value = args.x(i);
      for (std::int64_t round = 0; round < rounds; ++round) value *= args.factor;
      args.y(i) = value;
    }
  }
};
}  // namespace
