// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Rows of products are, bit for bit, what dot_as() gives one by one: of numbers alike and of very different
// size, with zeros, subnormal numbers, infinities and NaNs, accumulated in f32, f16 and s32.
#include "emulators/nvidia/device/row_products.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

namespace podium::ptx {
namespace {

constexpr u32 rows = 3, columns = 40;

// Of operands and accumulators.
struct Kind {
  const char* name;
  int least, greatest;  // exponents of operands; accumulators are as large as products
  int rarity;           // one in so many is a zero, a subnormal number, an infinity or a NaN; 0: none
};

class Numbers {
 public:
  Numbers(const Kind& kind, u32 seed) : kind_(kind), generator_(seed) {}
  // With at most eleven significant bits, as operands have them.
  f32 operand() {
    if (const auto special = this->special()) return *special;
    const int significand = static_cast<int>(generator_() % 2048) - 1024;
    return std::ldexp(static_cast<f32>(significand), exponent() - 10);
  }
  u32 accumulator(Element type) {
    if (type != Element::f32) return type == Element::f16 ? generator_() & 0xffff : generator_();
    if (const auto special = this->special()) return bits<u32>(*special);
    return bits<u32>(std::ldexp(1 + static_cast<f32>(generator_() % 8388608) / 8388608, 2 * exponent())) |
           (generator_() & 1) << 31;
  }

 private:
  int exponent() {
    return kind_.least +
           static_cast<int>(generator_() % (static_cast<u32>(kind_.greatest - kind_.least) + 1));
  }
  std::optional<f32> special() {
    if (kind_.rarity == 0 || generator_() % static_cast<u32>(kind_.rarity) != 0) return std::nullopt;
    const std::array<f32, 6> all{0.0f, -0.0f, std::ldexp(3.0f, -133), INFINITY, -INFINITY, std::nanf("")};
    return all[generator_() % all.size()];
  }
  Kind kind_;
  std::mt19937 generator_;
};

void compare(const Kind& kind, Element type, u32 k, Accumulation how) {
  SCOPED_TRACE(testing::Message() << kind.name << ", k = " << k << ", type " << static_cast<int>(type));
  Numbers numbers(kind, 7);
  MatrixOperand a(rows, k), b(columns, k);
  for (u32 i = 0; i < k; ++i) {
    for (u32 row = 0; row < rows; ++row) a.set(row, i, numbers.operand());
    for (u32 column = 0; column < columns; ++column) b.set(column, i, numbers.operand());
  }
  std::vector<u32> backwards;
  for (u32 column = columns; column > 0; --column) backwards.push_back(column - 1);
  const Columns plain(b), turned(b, backwards);
  constexpr u32 first = 5, count = columns - 2 * first;
  for (u32 row = 0; row < rows; ++row) {
    std::array<u32, columns> c{};
    for (u32& word : c) word = numbers.accumulator(type);
    std::array<u32, count> one_way{}, other_way{};
    for (u32 i = 0; i < count; ++i) {
      one_way[i] = c[first + i];
      other_way[i] = c[columns - 1 - first - i];
    }
    row_of_products(type, a, row, plain, first, count, one_way.data(), how, false);
    row_of_products(type, a, row, turned, first, count, other_way.data(), how, false);
    for (u32 i = 0; i < count; ++i) {
      EXPECT_EQ(one_way[i], dot_as(type, a, row, b, first + i, c[first + i], how, false)) << i;
      const u32 from_end = columns - 1 - first - i;
      EXPECT_EQ(other_way[i], dot_as(type, a, row, b, from_end, c[from_end], how, false)) << i;
    }
  }
}

TEST(RowProducts, AreThoseOfOneByOne) {
  for (const Kind& kind :
       {Kind{"of one size", 0, 0, 0}, Kind{"near each other", -4, 4, 0}, Kind{"far apart", -30, 30, 0},
        Kind{"as far as floats go", -120, 120, 0}, Kind{"very small", -66, -40, 0},
        Kind{"very large", 40, 60, 0}, Kind{"with some special", -10, 10, 200},
        Kind{"with many special", -60, 60, 8}, Kind{"subnormal beside numbers", -75, -20, 4}})
    for (const u32 k : {4u, 8u, 16u, 32u, 64u}) {
      compare(kind, Element::f32, k, wide_sum);
      compare(kind, Element::f32, k, hopper_fp8_sum);
      compare(kind, Element::f16, k, wide_sum);
    }
  compare({"integers", 0, 0, 0}, Element::s32, 32, wide_sum);
}

// The largest sums that there are: sixty-four products of the largest significands, and the largest c.
TEST(RowProducts, DoNotOverflow) {
  constexpr u32 k = 64;
  MatrixOperand a(1, k), b(1, k);
  for (u32 i = 0; i < k; ++i) {
    a.set(0, i, 2047);
    b.set(0, i, 2047);
  }
  const u32 c = bits<u32>(2097151.875f);  // of the products' exponent, all bits set
  u32 d = c;
  row_of_products(Element::f32, a, 0, Columns(b), 0, 1, &d, wide_sum, false);
  EXPECT_EQ(d, dot_as(Element::f32, a, 0, b, 0, c, wide_sum, false));
  EXPECT_GT(float_of(d), 2.6e8f);
}

// Scaled elements may be larger than a float.
TEST(RowProducts, OfScaledElementsBeyondFloats) {
  MatrixOperand a(1, 2), b(1, 2);
  for (u32 i = 0; i < 2; ++i) {
    a.set(0, i, 256);
    b.set(0, i, std::ldexp(1.0f, -100));
  }
  a.scale(0, 0, 2, std::ldexp(1.0f, 127));
  for (const bool swapped : {false, true}) {
    u32 d = 0;
    row_of_products(Element::f32, swapped ? b : a, 0, Columns(swapped ? a : b), 0, 1, &d, wide_sum, false);
    EXPECT_EQ(float_of(d), std::ldexp(1.0f, 36));
  }
}

}  // namespace
}  // namespace podium::ptx
