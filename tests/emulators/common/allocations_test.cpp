// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which addresses are allocated, to the byte, and what is said of those that are not.
#include "emulators/common/allocations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace podium::emulation {
namespace {

using testing::HasSubstr;

const void* at(std::uint64_t address) { return reinterpret_cast<const void*>(address); }

class AllocationsTest : public testing::Test {
 protected:
  AllocationsTest() {
    table_.add(at(0x1000), 100, "first");
    table_.add(at(0x2000), 16, "second");
  }
  Allocations table_;
};

TEST_F(AllocationsTest, HoldsItsBytesAndNoOthers) {
  EXPECT_TRUE(table_.find(0x1000, 100));
  EXPECT_TRUE(table_.find(0x1063, 1));
  EXPECT_FALSE(table_.find(0x1063, 2));
  EXPECT_FALSE(table_.find(0xfff, 1));
  EXPECT_FALSE(table_.find(0xfff, 2));
  EXPECT_TRUE(table_.find(0x1064, 0));
  EXPECT_FALSE(table_.find(0x1065, 0));
  EXPECT_FALSE(table_.find(0x1010, ~std::uint64_t{0}));  // whose end wraps around
}

TEST_F(AllocationsTest, ReturnsTheWholeAllocation) {
  const auto window = table_.find(0x2004, 4);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->begin, 0x2000u);
  EXPECT_EQ(window->end, 0x2010u);
}

TEST_F(AllocationsTest, ForgetsWhatWasFreedButExplainsIt) {
  EXPECT_TRUE(table_.remove(at(0x1000)));
  EXPECT_FALSE(table_.remove(at(0x1000)));
  EXPECT_FALSE(table_.find(0x1000, 1));
  EXPECT_THAT(table_.explain(0x1004, 4), HasSubstr("freed memory (first)"));
  table_.add(at(0x1000), 8, "third");  // memory is given out again
  EXPECT_TRUE(table_.find(0x1004, 4));
  EXPECT_THAT(table_.explain(0x1008, 4), HasSubstr("0 bytes behind third"));
}

TEST_F(AllocationsTest, SaysWhatIsNear) {
  EXPECT_EQ(table_.explain(0x1062, 4), "it ends 2 bytes behind first");
  EXPECT_EQ(table_.explain(0x1068, 4), "it lies 4 bytes behind first");
  EXPECT_EQ(table_.explain(0xff0, 4), "it lies 16 bytes before first");
  EXPECT_EQ(table_.explain(0x70000000, 4), "no allocation is near");
}

TEST_F(AllocationsTest, RefusesOverlaps) {
  EXPECT_THROW(table_.add(at(0x1063), 1, "inside"), std::logic_error);
  EXPECT_THROW(table_.add(at(0xff0), 17, "into the first"), std::logic_error);
  EXPECT_NO_THROW(table_.add(at(0x1064), 1, "behind it"));
}

}  // namespace
}  // namespace podium::emulation
