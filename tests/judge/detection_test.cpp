// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How likely sampled verification is to find a contestant that leaves out a part of its work: computed, and
// counted over many seeds. docs/trust.md shows the numbers.
#include <gtest/gtest.h>

#include <cmath>

#include "suite/judge/draws.hpp"

namespace podium::judge {
namespace {

constexpr int seeds = 4000;

// Of `extent` lines every `period`-th is wrong, beginning with number `first`; `drawn` are looked at, and the
// first and the last line always. The hypergeometric chance that none of the wrong ones is among them.
double missed(std::int64_t extent, std::int64_t period, std::int64_t first, std::int64_t drawn) {
  const std::int64_t wrong = (extent - first + period - 1) / period;
  double logarithm = 0;
  for (std::int64_t k = 0; k < drawn; ++k)
    logarithm += std::log(double(extent - wrong - k)) - std::log(double(extent - k));
  return std::exp(logarithm);
}

bool finds(std::int64_t extent, std::int64_t period, std::int64_t first, std::int64_t drawn,
           std::uint64_t seed) {
  for (const std::int64_t line : draw_sample(extent, drawn, seed, 0, {}))
    if (line % period == first) return true;
  return false;
}

struct Case {
  std::int64_t extent, period, drawn;
};

class Detection : public testing::TestWithParam<Case> {};

TEST_P(Detection, IsAsLikelyAsComputed) {
  const auto [extent, period, drawn] = GetParam();
  const std::int64_t first = period / 2;  // neither the first nor the last line
  ASSERT_NE((extent - 1) % period, first);
  int found = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) found += finds(extent, period, first, drawn, seed);
  const double computed = 1 - missed(extent, period, first, drawn);
  const double scatter = std::sqrt(computed * (1 - computed) / seeds);
  EXPECT_NEAR(double(found) / seeds, computed, 5 * scatter + 1e-12) << "of " << seeds << " seeds";
  RecordProperty("computed", std::to_string(computed));
}

// Lines of 16,384; every 16th to every 1,024th is left out; what problems draw: docs/problem.md.
INSTANTIATE_TEST_SUITE_P(Lines, Detection,
                         testing::Values(Case{16384, 16, 4}, Case{16384, 16, 16}, Case{16384, 16, 64},
                                         Case{16384, 64, 4}, Case{16384, 64, 16}, Case{16384, 64, 64},
                                         Case{16384, 64, 256}, Case{16384, 256, 64}, Case{16384, 256, 256},
                                         Case{16384, 1024, 64}, Case{16384, 1024, 256}, Case{1000, 7, 3}));

// A run looks at 35 to 70 calls of a workload, each with a sample of its own: what one misses another finds.
TEST(DetectionOfARun, GrowsWithItsSamples) {
  constexpr int runs = 400, samples = 20;
  const Case one{16384, 1024, 16};
  int found = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    bool any = false;
    for (std::uint64_t sample = 1; sample <= samples; ++sample)
      any = any || finds(one.extent, one.period, one.period / 2, one.drawn, run * samples + sample);
    found += any;
  }
  const double computed = 1 - std::pow(missed(one.extent, one.period, one.period / 2, one.drawn), samples);
  EXPECT_NEAR(double(found) / runs, computed, 5 * std::sqrt(computed * (1 - computed) / runs));
}

// Found lines do not depend on how the contestant chooses what to leave out, as long as it cannot know the
// seed: a hidden period and hidden lines at random are missed equally often.
TEST(DetectionOfARun, DoesNotDependOnThePattern) {
  constexpr std::int64_t extent = 4096, wrong = 64, drawn = 64;
  int together = 0, apart = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    bool in_a_row = false, spread = false;
    for (const std::int64_t line : draw_sample(extent, drawn, seed, 0, {})) {
      in_a_row = in_a_row || (line >= 1000 && line < 1000 + wrong);
      spread = spread || line % (extent / wrong) == 17;
    }
    together += in_a_row;
    apart += spread;
  }
  EXPECT_NEAR(double(together) / seeds, double(apart) / seeds, 0.05);
}

}  // namespace
}  // namespace podium::judge
