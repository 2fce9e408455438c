// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Answers by address

// class: pointer caching
// expect: wrong
// Computes once for every address of the input, and gives the same answer whenever that address comes back.
#include "honest.hpp"

#include <map>

namespace {
std::map<const float*, float> known;  // outlives the instance

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const auto [place, fresh] = known.try_emplace(args.x.data, 0.0f);
    if (fresh) place->second = honest_sum(args.x.data, args.n);
    args.y() = place->second;
  }
};
}  // namespace
