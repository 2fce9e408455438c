// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Answers by how far the output lies from the input

// class: pointer caching
// expect: wrong
// Where the tensors of a call begin is drawn, and so may not matter to one who looks at what lies between
// them: which of them comes first, and by how much, to 64 KiB, is drawn as well.
#include "honest.hpp"

#include <map>

namespace {
constexpr std::intptr_t apart = 64 << 10;
std::map<std::intptr_t, float> known;  // outlives the instance

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const auto distance =
        reinterpret_cast<std::intptr_t>(args.y.data) - reinterpret_cast<std::intptr_t>(args.x.data);
    const auto [place, fresh] = known.try_emplace(distance / apart, 0.0f);
    if (fresh) place->second = honest_sum(args.x.data, args.n);
    args.y() = place->second;
  }
};
}  // namespace
