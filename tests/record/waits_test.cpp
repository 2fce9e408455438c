// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Medians of what samples cost, apart for those after a flush and those without.
#include "suite/record/spent.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace podium::record {
namespace {

TEST(Waits, MediansAreOfOneKindOfSamples) {
  const std::vector<Wait> waits{{.asking = 1, .arming = 20, .own = 5},
                                {.asking = 3, .arming = 10, .own = 50},
                                {.asking = 2, .arming = 90, .waking = 7},
                                {.asking = 40, .stopping = 4, .flushed = false},
                                {.asking = 60, .stopping = 8, .flushed = false}};
  const Wait flushed = median_parts(waits, true);
  EXPECT_EQ(flushed.asking, 2);
  EXPECT_EQ(flushed.arming, 20);
  EXPECT_EQ(flushed.stopping, 0);
  EXPECT_EQ(flushed.waking, 0);
  EXPECT_EQ(flushed.own, 5);
  EXPECT_EQ(median_wait(waits, true), 63) << "the middle of 26, 63, 99: not the sum of the medians";
  EXPECT_EQ(median_parts(waits, false).asking, 50);
  EXPECT_EQ(median_wait(waits, false), 56);
}

TEST(Waits, OfNoSamplesAreNothing) {
  EXPECT_EQ(median_wait({}, true), 0);
  const std::vector<Wait> hot{{.asking = 1, .flushed = false}};
  EXPECT_EQ(median_wait(hot, true), 0);
  EXPECT_EQ(median_parts(hot, true).sum(), 0);
}

TEST(Waits, EveryPartIsInTheSum) {
  Wait wait;
  double expected = 0;
  for (const auto& [name, part] : wait_parts) expected += wait.*part = 1 + 2 * expected;
  EXPECT_EQ(wait.sum(), expected);
  EXPECT_EQ(sizeof wait, (wait_parts.size() + 1) * sizeof(double)) << "a part that is not in the table";
}

}  // namespace
}  // namespace podium::record
