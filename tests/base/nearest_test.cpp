// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The nearest name: slips are recognised, other words are not.
#include "suite/base/nearest.hpp"

#include <gtest/gtest.h>

namespace podium {
namespace {

const std::vector<std::string> names{"matmul", "softmax", "sort", "sum", "vector_add"};

TEST(Nearest, FindsSlips) {
  EXPECT_EQ(nearest("softmx", names), "softmax");
  EXPECT_EQ(nearest("sfotmax", names), "softmax");  // neighbours swapped
  EXPECT_EQ(nearest("Softmax", names), "softmax");
  EXPECT_EQ(nearest("vectoradd", names), "vector_add");
  EXPECT_EQ(nearest("sun", names), "sum");
  EXPECT_EQ(nearest("sum", names), "sum");
}

TEST(Nearest, LeavesOtherWordsAlone) {
  EXPECT_EQ(nearest("attention", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest("sum", {}), "");
  EXPECT_EQ(nearest(std::string(1 << 20, 's'), names), "");
}

TEST(Nearest, PrefersTheSmallerChange) {
  EXPECT_EQ(nearest("shape", {"shade", "Shape"}), "Shape");  // case counts half
  EXPECT_EQ(nearest("abcd", {"abxx", "abcx"}), "abcx");
}

TEST(FoundOneOf, ListsAndPoints) {
  EXPECT_EQ(found_one_of("sortt", names),
            "found \"sortt\", expected one of matmul, softmax, sort, sum, vector_add (nearest: \"sort\")");
  EXPECT_EQ(found_one_of("zebra", {"rows"}), "found \"zebra\", expected rows");
  EXPECT_EQ(found_one_of("zebra", {}), "found \"zebra\", expected nothing here");
}

}  // namespace
}  // namespace podium
