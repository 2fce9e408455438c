// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/draws.hpp"

#include <algorithm>
#include <utility>

#include "suite/problem/program/numbers.hpp"
#include "suite/problem/program/philox.hpp"

namespace podium::judge {
namespace {

// Numbers of [0, extent) in their order but for a few neighbours: each lies at or behind the place that its
// share of the extent gives it. At most `most` of them.
class Chosen {
 public:
  Chosen(std::int64_t extent, std::size_t most)
      : extent_(static_cast<std::uint64_t>(extent)), places_(4 * most), slots_(places_ + most, none) {}

  bool insert(std::int64_t value) {
    // The upper half of value / extent * 2^64, times the places; no value is as large as the extent.
    std::size_t at = program::multiply_high(static_cast<std::uint64_t>(value) * (~std::uint64_t{0} / extent_),
                                            static_cast<std::uint64_t>(places_));
    while (slots_[at] != none && slots_[at] != value) ++at;
    return std::exchange(slots_[at], value) == none;
  }

  std::vector<std::int64_t> ascending() const {
    std::vector<std::int64_t> all;
    all.reserve(slots_.size() - places_);
    for (const std::int64_t value : slots_) {
      if (value == none) continue;
      auto at = all.insert(all.end(), value);
      for (; at != all.begin() && *(at - 1) > value; --at) *at = *(at - 1);
      *at = value;
    }
    return all;
  }

 private:
  static constexpr std::int64_t none = -1;
  std::uint64_t extent_;
  std::size_t places_;
  std::vector<std::int64_t> slots_;
};

}  // namespace

// Sampling without replacement: R. W. Floyd's algorithm, "Programming pearls: a sample of brilliance", CACM
// 30 (1987).
std::vector<std::int64_t> draw_sample(std::int64_t extent, std::int64_t drawn, std::uint64_t seed,
                                      std::uint32_t set, const std::vector<std::int64_t>& wanted) {
  if (extent == 0) return {};
  drawn = std::min(drawn, extent);
  Chosen chosen(extent, static_cast<std::size_t>(drawn) + 2 + wanted.size());
  std::uint64_t counter = 0;
  for (std::int64_t last = extent - drawn; last < extent; ++last) {
    const program::Block4 block =
        program::philox(seed, counter++, program::stream_of(program::Stream::sample, set));
    const std::uint64_t random = block.word[0] | static_cast<std::uint64_t>(block.word[1]) << 32;
    const auto value =
        static_cast<std::int64_t>(program::multiply_high(random, static_cast<std::uint64_t>(last) + 1));
    if (!chosen.insert(value)) chosen.insert(last);
  }
  chosen.insert(0);
  chosen.insert(extent - 1);
  for (const std::int64_t value : wanted) chosen.insert(value);
  return chosen.ascending();
}

}  // namespace podium::judge
