// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The breakdown of the wall time, as people see it.
#include "suite/report/run_notes.hpp"

#include <gtest/gtest.h>

namespace podium::report {
namespace {

TEST(Spent, IsOneLineThatAddsUp) {
  const record::Spent spent{
      .building = 1.25, .starts = 0.5, .columns = 1.5, .calls = 2, .fills = 3, .waits = 0.25, .wait = 42.4};
  EXPECT_EQ(
      spent_text(spent, 10),
      "10.0 s: building 1.2, starts 0.5, columns 1.5, calls 2.0, fills 3.0, waits 0.2 (42 µs a sample), "
      "other 1.5");
}

TEST(Spent, PartsThatAreNothingAreLeftOut) {
  EXPECT_EQ(spent_text({.calls = 2, .checks = 0.04}, 2.04), "2.0 s: calls 2.0");
  EXPECT_EQ(spent_text({.calls = 2, .waits = 0.01, .wait = 5}, 2),
            "2.0 s: calls 2.0, waits 0.0 (5 µs a sample)");
}

TEST(Spent, ASamplesWaitIsToldByItsParts) {
  record::Spent spent{.calls = 2, .waits = 0.25, .wait = 120.4};
  spent.parts = {.asking = 4, .arming = 20.3, .stopping = 18, .waking = 60, .own = 11};
  EXPECT_EQ(
      spent_text(spent, 2.25),
      "2.2 s: calls 2.0, waits 0.2 (120 µs a sample: asking 4, arming 20, stopping 18, waking 60, own 11)");
  spent.wait_unflushed = 45;
  spent.parts_unflushed = {.asking = 3, .waking = 30};
  EXPECT_EQ(
      spent_text(spent, 2.25),
      "2.2 s: calls 2.0, waits 0.2 (120 µs a sample: asking 4, arming 20, stopping 18, waking 60, own 11; "
      "45 where caches are not flushed: asking 3, arming 0, stopping 0, waking 30, own 0)");
}

TEST(Spent, OfARunThatDoesNotTellOnlyTheSum) { EXPECT_EQ(spent_text({}, 12.4), "12 s"); }

}  // namespace
}  // namespace podium::report
