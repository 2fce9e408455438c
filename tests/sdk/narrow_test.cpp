// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Contestants' types of eight and four bits: against ml_dtypes, and against the judge's own conversions.
#include <podium/convert.hpp>

#include "suite/problem/program/numbers.hpp"
#include "tests/numbers/rounding.hpp"

namespace {
using podium::cast;
namespace test = podium::test;
namespace judge = podium::program;

template <class T>
unsigned pattern(T x) {
  static_assert(sizeof(T) == 1 && std::is_trivial_v<T>);
  return x.bits;
}
template <class T, class Wide>
void expect_type(const test::NarrowFormat& format, unsigned sign) {
  test::expect_conversions<Wide>(
      format, sign, [](unsigned bits) { return double(cast<Wide>(T{static_cast<std::uint8_t>(bits)})); },
      [](Wide x) { return pattern(cast<T>(x)); });
}

// The same bits as the judge makes of numbers of every size, NaN and the numbers of f16 among them.
template <class T, class Judged>
void expect_agreement() {
  std::uint64_t state = 1;
  for (int k = 0; k < 400000; ++k) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(state)),
                                static_cast<int>(state >> 40 & 31) - 80);
    ASSERT_EQ(pattern(cast<T>(x)), judge::narrow<Judged>(x).bits) << x;
    const auto f = static_cast<float>(x);
    ASSERT_EQ(pattern(cast<T>(f)), judge::narrow<Judged>(f).bits) << f;
  }
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    podium::f16 h;
    h.bits = static_cast<std::uint16_t>(bits);
    const double x = judge::widen(judge::f16{h.bits});
    ASSERT_EQ(pattern(cast<T>(h)), judge::narrow<Judged>(x).bits) << x;
  }
  for (int k = -70000; k < 70000; k += 7) ASSERT_EQ(pattern(cast<T>(k)), judge::narrow<Judged>(k).bits) << k;
}

template <class T, class Judged>
void expect_all(const test::NarrowFormat& format, unsigned sign) {
  expect_type<T, float>(format, sign);
  expect_type<T, double>(format, sign);
  expect_agreement<T, Judged>();
}
TEST(NarrowFloat, E4m3) { expect_all<podium::e4m3, judge::e4m3>(test::e4m3_format, 0x80); }
TEST(NarrowFloat, E5m2) { expect_all<podium::e5m2, judge::e5m2>(test::e5m2_format, 0x80); }
TEST(NarrowFloat, E4m3Fnuz) { expect_all<podium::e4m3_fnuz, judge::e4m3_fnuz>(test::e4m3_fnuz_format, 0x80); }
TEST(NarrowFloat, E5m2Fnuz) { expect_all<podium::e5m2_fnuz, judge::e5m2_fnuz>(test::e5m2_fnuz_format, 0x80); }
TEST(NarrowFloat, E8m0) { expect_all<podium::e8m0, judge::e8m0>(test::e8m0_format, 0); }
TEST(NarrowFloat, E2m1) { expect_all<podium::e2m1, judge::e2m1>(test::e2m1_format, 8); }

TEST(NarrowFloat, BetweenTypes) {
  const auto byte = [](unsigned bits) { return static_cast<std::uint8_t>(bits); };
  for (unsigned bits = 0; bits < 256; ++bits) {
    const podium::e5m2 x{byte(bits)};
    const double wide = judge::widen(judge::e5m2{byte(bits)});
    EXPECT_EQ(pattern(cast<podium::e4m3>(x)), judge::narrow<judge::e4m3>(wide).bits) << bits;
    if (!std::isnan(wide)) {
      EXPECT_EQ(cast<float>(cast<podium::bf16>(x)), wide);
      EXPECT_EQ(cast<double>(x), wide);
    }
  }
  EXPECT_EQ(cast<int>(podium::e4m3{0x7E}), 448);
  EXPECT_EQ(pattern(cast<podium::e4m3>(std::uint64_t{1} << 63)), 0x7Eu);
}

TEST(NarrowFloat, PairsHaveTheFirstInTheLowHalf) {
  const auto pair = podium::e2m1x2::of(cast<podium::e2m1>(1.5f), cast<podium::e2m1>(-6.0f));
  EXPECT_EQ(pair.bits, 0xF3);
  EXPECT_EQ(cast<float>(pair.low()), 1.5f);
  EXPECT_EQ(cast<float>(pair.high()), -6.0f);
}

TEST(NarrowFloat, RowsConvertAsTheirElementsDo) {
  std::vector<podium::e4m3> bytes(256);
  for (unsigned k = 0; k < 256; ++k) bytes[k].bits = static_cast<std::uint8_t>(k);
  std::vector<float> wide(256);
  podium::widen(bytes.data(), wide.data(), 256);
  std::vector<podium::e4m3> back(256);
  podium::narrow(wide.data(), back.data(), 256);
  for (unsigned k = 0; k < 256; ++k) {
    if (k % 128 == 127)
      EXPECT_TRUE(std::isnan(wide[k]) && back[k].bits == 0x7F);
    else
      EXPECT_TRUE(wide[k] == test::e4m3_format.numbers[k] && back[k].bits == k) << k;
  }
  const podium::e2m1x2 pairs[] = {{0x10}, {0xFE}};
  podium::e2m1x2 again[2];
  podium::widen(pairs, wide.data(), 4);
  podium::narrow(wide.data(), again, 4);
  EXPECT_EQ((std::vector<float>(wide.begin(), wide.begin() + 4)), (std::vector<float>{0, 0.5f, -4, -6}));
  EXPECT_TRUE(again[0].bits == 0x10 && again[1].bits == 0xFE);
}

TEST(HalfRows, ConvertAsTheirElementsDo) {
  constexpr unsigned count = 0x10000 + 3;  // no multiple of what a processor converts at a time
  std::vector<podium::f16> halves(count);
  for (unsigned k = 0; k < count; ++k) halves[k].bits = static_cast<std::uint16_t>(k);
  std::vector<float> wide(count);
  podium::widen(halves.data(), wide.data(), count);
  for (unsigned k = 0; k < count; ++k) {
    const float one = cast<float>(halves[k]);
    ASSERT_TRUE(std::isnan(one) ? std::isnan(wide[k]) : one == wide[k]) << k;
  }
  // Between each two numbers: below the middle, the middle, above it.
  for (const float part : {0.25f, 0.5f, 0.75f}) {
    std::vector<float> between(count);
    for (unsigned k = 0; k < count; ++k) between[k] = wide[k] + part * (wide[(k + 1) % count] - wide[k]);
    std::vector<podium::f16> back(count);
    podium::narrow(between.data(), back.data(), count);
    for (unsigned k = 0; k < count; ++k) {
      const podium::f16 one = cast<podium::f16>(between[k]);
      ASSERT_TRUE(std::isnan(between[k]) ? std::isnan(cast<float>(back[k])) : one.bits == back[k].bits) << k;
    }
  }
}

TEST(Scales, AreFoundInTheirTiles) {
  // [3 batches, 200 rows, 7 columns]: two tiles down, two across.
  std::vector<int> memory(3 * 2 * 2 * 512);
  for (std::size_t k = 0; k < memory.size(); ++k) memory[k] = static_cast<int>(k);
  const podium::Tensor<const int, 6> tiles{memory.data(), {3, 2, 2, 32, 4, 4}, {2048, 1024, 512, 16, 4, 1}};
  for (int batch = 0; batch < 3; ++batch)
    for (int row = 0; row < 200; ++row)
      for (int column = 0; column < 7; ++column) {
        const int tile = (batch * 2 + row / 128) * 2 + column / 4, inside = row % 128;
        const int expected = tile * 512 + inside % 32 * 16 + inside / 32 * 4 + column % 4;
        ASSERT_EQ(podium::scale_at(tiles, batch, row, column), expected);
        const podium::Tensor<const int, 5> one{
            memory.data() + batch * 2048, {2, 2, 32, 4, 4}, {1024, 512, 16, 4, 1}};
        ASSERT_EQ(podium::scale_at(one, row, column), expected);
      }
}

}  // namespace
