// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Answers by address

// class: pointer caching
// expect: wrong
// Computes once for every address of the input, to 4 MiB, and gives the same answer whenever that address
// comes back: addresses are drawn for every call, over about as much where tensors are small, so that one of
// the first three calls meets another's.
#include "honest.hpp"

#include <map>

namespace {
constexpr std::uintptr_t apart = 4 << 20;
std::map<std::uintptr_t, float> known;  // outlives the instance

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const auto [place, fresh] =
        known.try_emplace(reinterpret_cast<std::uintptr_t>(args.x.data) / apart, 0.0f);
    if (fresh) place->second = honest_sum(args.x.data, args.n);
    args.y() = place->second;
  }
};
}  // namespace
