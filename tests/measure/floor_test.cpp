// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/measure/least_time.hpp"

#include <gtest/gtest.h>

namespace podium::measure {
namespace {

TEST(Floor, CountsInputsAndWhatTheCacheCannotHold) {
  const Traffic sum{.read = 4e9, .written = 4, .stated = 4e9};
  EXPECT_DOUBLE_EQ(physical_floor(sum, 60e6, 4e12), 900) << "µs: 0.9 of 4 GB at 4 TB/s";
  const Traffic copy{.read = 1e9, .written = 1e9, .stated = 2e9};
  EXPECT_DOUBLE_EQ(physical_floor(copy, 60e6, 4e12), 0.9 * 1.94e9 / 4e12 * 1e6);
  const Traffic small{.read = 0, .written = 1e6, .stated = 1e6};
  EXPECT_EQ(physical_floor(small, 60e6, 4e12), 0) << "the cache may hold it";
}

TEST(Floor, NeverExceedsWhatTheProblemStates) {
  const Traffic gather{.read = 8e9, .written = 0, .stated = 1e9};
  EXPECT_DOUBLE_EQ(physical_floor(gather, 0, 1e12), 900);
}

}  // namespace
}  // namespace podium::measure
