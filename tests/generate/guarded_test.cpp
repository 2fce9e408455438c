// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/formula/term_rewriting.hpp"

#include <gtest/gtest.h>

namespace podium::problem {
namespace {

TEST(Guarded, LeadsDivisionsThroughTheGuard) {
  EXPECT_EQ(guarded("a / b"), "a *podium_checked/ b");
  EXPECT_EQ(guarded("a%b"), "a*podium_checked%b");
  EXPECT_EQ(guarded("a /= b"), "a /= podium_checked = b");
  EXPECT_EQ(guarded("a %= 3; b %=c"), "a %= 3; b %= podium_checked =c");
  EXPECT_EQ(guarded("f(a) / (b)"), "f(a) *podium_checked/ (b)");
}

TEST(Guarded, LeavesAloneWhatIsNoDivisionOrCannotFail) {
  for (const char* term : {"a / 2", "a % 0x1f", "a / 2.5e-3", "a * b", "", "a // b / c", "a /* b / c */ + d",
                           "'/' + 1", "\"a / \\\" b\"", "a /10'000"})
    EXPECT_EQ(guarded(term), term);
  EXPECT_EQ(guarded("a / 0"), "a *podium_checked/ 0");
  EXPECT_EQ(guarded("a / 0.0"), "a *podium_checked/ 0.0");
  EXPECT_EQ(guarded("a // b\n / c"), "a // b\n *podium_checked/ c");
}

}  // namespace
}  // namespace podium::problem
