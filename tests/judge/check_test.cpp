// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// sorted and permutation: what they accept, and that one changed element is never accepted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t seed = 11;

std::string sort(const std::string& type, const std::string& shape, const std::string& fill,
                 const std::string& sorted) {
  return R"y(podium: 1
title: t
axes: [m, n]
tensors:
  x: { role: input, dtype: )y" +
         type + ", shape: " + shape + ", fill: " + fill + R"y( }
  y: { role: output, dtype: )y" +
         type + ", shape: " + shape + R"y( }
checks:
  ordered: )y" +
         sorted + R"y(
  same: { permutation: [y, x] }
workloads: { test: [{ m: 3, n: 1000 }], quick: [{ m: 3, n: 3 }], bench: [{ m: 3, n: 3 }] }
)y";
}

template <class T>
void sort_rows(Judged& j, bool descending = false) {
  const std::int64_t count = j.elements("y"), row = j.instance.tensors[1].extents.back();
  T* y = j.data<T>("y");
  std::copy_n(j.data<T>("x"), count, y);
  for (std::int64_t at = 0; at < count; at += row) {
    std::sort(y + at, y + at + row);
    if (descending) std::reverse(y + at, y + at + row);
  }
}

TEST(Check, AcceptsSortedAndRejectsEveryKindOfMistake) {
  for (const int groups : {1, 7}) {
    Judged j(sort("f32", "[n]", "normal", "{ sorted: y }"));
    j.device.most_groups = groups;
    j.evaluator.fill(seed);
    const auto verify = [&] { return j.evaluator.verify(seed, 0xff); };
    float* y = j.data<float>("y");
    sort_rows<float>(j);
    EXPECT_TRUE(verify().right) << verify().text;

    std::swap(y[400], y[401]);
    EXPECT_FALSE(verify().right);
    EXPECT_THAT(verify().text, HasSubstr("y[400] is "));
    EXPECT_THAT(verify().text, HasSubstr("1 of 1000 elements are out of order"));

    sort_rows<float>(j);
    y[500] = y[499];  // duplicated: still sorted
    EXPECT_THAT(verify().text, HasSubstr("y does not hold the elements of x"));
    EXPECT_TRUE(verify().written);

    sort_rows<float>(j);
    y[999] = std::nextafter(y[999], 10.0f);  // one bit of one element
    EXPECT_FALSE(verify().right);

    sort_rows<float>(j);
    y[0] = std::nanf("");
    EXPECT_THAT(verify().text, HasSubstr("y[0] is nan"));
    sort_rows<float>(j);
    y[999] = std::nanf("");
    EXPECT_THAT(verify().text, HasSubstr("y[999] is nan"));

    j.poison(0xff);
    EXPECT_FALSE(verify().right);
    EXPECT_FALSE(verify().written);
  }
}

TEST(Check, RowsAreSortedEachForItself) {
  Judged j(sort("i32", "[m, n]", "{ integers: { low: -9, high: 9 } }", "{ sorted: y, descending: true }"));
  j.evaluator.fill(seed);
  sort_rows<std::int32_t>(j, true);
  EXPECT_TRUE(j.evaluator.verify(seed, 0xff).right);
  std::swap(j.data<std::int32_t>("y")[1000], j.data<std::int32_t>("y")[1999]);
  EXPECT_FALSE(j.evaluator.verify(seed, 0xff).right);
  sort_rows<std::int32_t>(j, false);
  EXPECT_THAT(j.evaluator.verify(seed, 0xff).text, HasSubstr("expected descending order"));
}

TEST(Check, BytesThatEqualThePoisonByChanceAreWritten) {
  Judged j(sort("u8", "[n]", "{ integers: { low: 0, high: 255 } }", "{ sorted: y }"));
  j.evaluator.fill(seed);
  sort_rows<std::uint8_t>(j);
  EXPECT_TRUE(j.evaluator.verify(seed, 0xff).right);
  std::swap(j.data<std::uint8_t>("y")[0], j.data<std::uint8_t>("y")[999]);
  EXPECT_FALSE(j.evaluator.verify(seed, 0xff).right);
  EXPECT_TRUE(j.evaluator.verify(seed, 0xff).written);
  j.poison(0xff);
  EXPECT_FALSE(j.evaluator.verify(seed, 0xff).written);
}

}  // namespace
}  // namespace podium::judge
