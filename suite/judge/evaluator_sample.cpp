// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Sampling without replacement: R. W. Floyd's algorithm, "Programming pearls: a sample of brilliance", CACM
// 30 (1987).
#include "suite/judge/evaluator_sample.hpp"

#include <algorithm>
#include <unordered_set>

#include "suite/problem/program/philox.hpp"

namespace podium::judge {

std::vector<std::int64_t> draw_sample(std::int64_t extent, std::int64_t drawn, std::uint64_t seed,
                                      std::uint32_t set, const std::vector<std::int64_t>& wanted) {
  if (drawn > extent) drawn = extent;
  std::unordered_set<std::int64_t> chosen;
  chosen.reserve(static_cast<std::size_t>(drawn) + 2 + wanted.size());
  std::uint64_t counter = 0;
  for (std::int64_t last = extent - drawn; last < extent; ++last) {
    const program::Block4 block =
        program::philox(seed, counter++, program::stream_of(program::Stream::sample, set));
    const std::uint64_t random = block.word[0] | static_cast<std::uint64_t>(block.word[1]) << 32;
    const auto value =
        static_cast<std::int64_t>(program::multiply_high(random, static_cast<std::uint64_t>(last) + 1));
    if (!chosen.insert(value).second) chosen.insert(last);
  }
  if (extent > 0) {
    chosen.insert(0);
    chosen.insert(extent - 1);
  }
  chosen.insert(wanted.begin(), wanted.end());
  std::vector<std::int64_t> ascending(chosen.begin(), chosen.end());
  std::sort(ascending.begin(), ascending.end());
  return ascending;
}

}  // namespace podium::judge
