// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One answer for each handful of sampled contents

// class: replay
// expect: wrong
// Looks at the signs of five elements: few enough that inputs seem to come back, and a fingerprint of real
// inputs if they did.
#include "honest.hpp"

#include <map>
#include <utility>

namespace {
std::map<std::pair<std::int64_t, int>, float> known;  // outlives the instance

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    int print = 0;
    for (int k = 0; k < 5; ++k) print = 2 * print + (args.x.data[k * (args.n - 1) / 4] < 0);
    const auto [place, fresh] = known.try_emplace({args.n, print}, 0.0f);
    if (fresh) place->second = honest_sum(args.x.data, args.n);
    args.y() = place->second;
  }
};
}  // namespace
