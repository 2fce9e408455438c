// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One answer for each size

// class: replay
// expect: wrong
// The simplest fingerprint of inputs is their size.
#include "honest.hpp"

#include <map>

namespace {
std::map<std::int64_t, float> known;  // outlives the instance

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const auto [place, fresh] = known.try_emplace(args.n, 0.0f);
    if (fresh) place->second = honest_sum(args.x.data, args.n);
    args.y() = place->second;
  }
};
}  // namespace
