// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a conversion to and from a narrow format must do: every pattern, every midpoint between neighbours,
// the numbers beside it, saturation, NaN. Rounding is monotonic, so that decides it everywhere.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/numbers/narrow_floats.hpp"

namespace podium::test {

// widen: pattern to double; narrow: Wide to pattern. `sign`: its bit, 0 for none.
template <class Wide, class Widen, class Narrow>
void expect_conversions(const NarrowFormat& format, unsigned sign, Widen widen, Narrow narrow) {
  const auto& numbers = format.numbers;
  const auto patterns = static_cast<unsigned>(numbers.size());
  const bool has_nan = std::isnan(numbers[patterns - 1]) || std::isnan(numbers[patterns / 2]);
  const bool signed_zero = sign != 0 && numbers[sign] == 0;
  unsigned top = 0;
  for (unsigned bits = 0; bits < patterns; ++bits)
    if (std::isfinite(numbers[bits]) && numbers[bits] > numbers[top]) top = bits;

  for (unsigned bits = 0; bits < patterns; ++bits) {
    const double number = numbers[bits];
    if (std::isnan(number)) {
      ASSERT_TRUE(std::isnan(widen(bits))) << bits;
      continue;
    }
    ASSERT_EQ(widen(bits), number) << bits;
    ASSERT_EQ(std::signbit(widen(bits)), std::signbit(number)) << bits;
    const unsigned back = std::isinf(number) ? (number < 0 ? top | sign : top) : bits;
    ASSERT_EQ(narrow(static_cast<Wide>(number)), back) << number;
  }

  // Of a negative number: the same with the sign, where there is one to carry.
  const auto negated = [&](unsigned bits) {
    if (sign == 0) return patterns - 1;  // e8m0: NaN
    return bits == 0 && !signed_zero ? 0u : bits | sign;
  };
  ASSERT_EQ(format.ties.size(), top);
  for (unsigned low = 0; low < top; ++low) {
    const auto middle = static_cast<Wide>((numbers[low] + numbers[low + 1]) / 2);
    ASSERT_EQ(middle, (numbers[low] + numbers[low + 1]) / 2) << low;
    const Wide below = std::nextafter(middle, Wide{0}),
               above = std::nextafter(middle, std::numeric_limits<Wide>::max());
    ASSERT_EQ(narrow(middle), format.ties[low]) << middle;
    ASSERT_EQ(narrow(below), low) << below;
    ASSERT_EQ(narrow(above), low + 1) << above;
    ASSERT_EQ(narrow(-middle), negated(format.ties[low])) << -middle;
    ASSERT_EQ(narrow(-below), negated(low)) << -below;
    ASSERT_EQ(narrow(-above), negated(low + 1)) << -above;
  }

  using limits = std::numeric_limits<Wide>;
  const auto largest = static_cast<Wide>(numbers[top]);
  for (const Wide beyond :
       {std::nextafter(largest, limits::max()), largest + largest / 2, limits::max(), limits::infinity()}) {
    ASSERT_EQ(narrow(beyond), top) << beyond;
    ASSERT_EQ(narrow(-beyond), negated(top)) << -beyond;
  }
  ASSERT_EQ(narrow(limits::denorm_min()), 0u);
  ASSERT_EQ(narrow(-limits::denorm_min()), negated(0));
  ASSERT_EQ(narrow(Wide{0}), 0u);
  ASSERT_EQ(narrow(-Wide{0}), sign == 0 ? 0u : negated(0));
  for (const Wide no_number : {limits::quiet_NaN(), -limits::quiet_NaN()}) {
    if (has_nan)
      ASSERT_TRUE(std::isnan(widen(narrow(no_number))));
    else
      ASSERT_EQ(narrow(no_number), top);
  }
}

}  // namespace podium::test
