// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Strides, scales_128x4 and packed e2m1 in the judge: fills, references, scans, comparisons and checks find
// their elements, and nothing looks at padding. Addresses are computed here by plain loops.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "suite/problem/program/fill.hpp"
#include "suite/problem/program/numbers.hpp"
#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace program = podium::program;

constexpr std::uint64_t seed = 0x5eed;

// Where element [b, i, j] lies, in elements.
using Address = std::function<std::int64_t(std::int64_t, std::int64_t, std::int64_t)>;
struct Shape {
  std::int64_t batch, rows, cols;
};
struct Case {
  std::string keys;  // of the tensor
  std::function<Address(Shape)> address;
  std::function<std::int64_t(Shape)> room;
};
const Case row_major{
    "", [](Shape s) { return [=](auto b, auto i, auto j) { return (b * s.rows + i) * s.cols + j; }; },
    [](Shape s) { return s.batch * s.rows * s.cols; }};
// Columns apart, batches innermost but one: no axis where row-major order has it.
const Case transposed{", strides: [\"cols * 2 + 3\", \"(cols * 2 + 3) * batch\", 2]",
                      [](Shape s) {
                        const std::int64_t pitch = s.cols * 2 + 3;
                        return
                            [=](auto b, auto i, auto j) { return b * pitch + i * pitch * s.batch + 2 * j; };
                      },
                      [](Shape s) {
                        const std::int64_t pitch = s.cols * 2 + 3;
                        return 1 + (s.batch - 1) * pitch + (s.rows - 1) * pitch * s.batch + 2 * (s.cols - 1);
                      }};
const Case padded_rows{
    ", strides: [\"rows * (cols + 6)\", cols + 6, 1]",
    [](Shape s) { return [=](auto b, auto i, auto j) { return (b * s.rows + i) * (s.cols + 6) + j; }; },
    [](Shape s) { return s.batch * s.rows * (s.cols + 6) - 6; }};
const Case scales{", layout: scales_128x4",
                  [](Shape s) {
                    const std::int64_t down = (s.rows + 127) / 128, across = (s.cols + 3) / 4;
                    return [=](auto b, auto i, auto j) {
                      const std::int64_t tile = (b * down + i / 128) * across + j / 4;
                      return tile * 512 + i % 128 % 32 * 16 + i % 128 / 32 * 4 + j % 4;
                    };
                  },
                  [](Shape s) { return s.batch * ((s.rows + 127) / 128) * ((s.cols + 3) / 4) * 512; }};

std::string yaml(const std::string& type, const std::string& fill, const std::string& in,
                 const std::string& out, Shape s, const std::string& checks = "") {
  return R"y(podium: 1
title: t
axes: [batch, rows, cols]
tensors:
  x: { role: input, dtype: )y" +
         type + ", shape: [batch, rows, cols], fill: " + fill + in + R"y( }
  y: { role: output, dtype: )y" +
         type + ", shape: [batch, rows, cols]" +
         (type[0] == 'i' || !checks.empty() ? "" : ", tolerance: { ulp: 0 }") + out +
         R"y( }
)y" +
         (checks.empty()
              ? "reference: { y: { index: [b, i, j], value: \"-x(b, i, j)\" } }\nsample: { i: 3, j: 2 }\n"
              : checks) +
         "workloads: { test: [{ batch: " + std::to_string(s.batch) + ", rows: " + std::to_string(s.rows) +
         ", cols: " + std::to_string(s.cols) +
         " }], quick: [{ batch: 1, rows: 2, cols: 2 }], bench: [{ batch: 1, rows: 2, cols: 2 }] }\n";
}

// One element's number, and how to change it; e2m1 takes the half of a byte.
template <class T>
double get(const void* memory, std::int64_t at) {
  if constexpr (std::is_same_v<T, program::e2m1>) {
    const unsigned pair = static_cast<const unsigned char*>(memory)[at / 2];
    return program::widen(T{static_cast<program::u8>(at % 2 ? pair / 16 : pair % 16)});
  } else {
    return static_cast<double>(program::widen(static_cast<const T*>(memory)[at]));
  }
}
template <class T>
void put(void* memory, std::int64_t at, double x) {
  if constexpr (std::is_same_v<T, program::e2m1>) {
    auto& pair = static_cast<unsigned char*>(memory)[at / 2];
    const unsigned code = program::narrow<T>(x).bits;
    pair = static_cast<unsigned char>(at % 2 ? pair % 16 + 16 * code : pair / 16 * 16 + code);
  } else {
    static_cast<T*>(memory)[at] = program::narrow<T>(x);
  }
}

void each(Shape s, const std::function<void(std::int64_t, std::int64_t, std::int64_t)>& f) {
  for (std::int64_t b = 0; b < s.batch; ++b)
    for (std::int64_t i = 0; i < s.rows; ++i)
      for (std::int64_t j = 0; j < s.cols; ++j) f(b, i, j);
}

// The numbers that a fill gives x, in row-major order.
template <class T>
std::vector<double> filled(const std::string& type, const std::string& fill, const Case& in, Shape s,
                           int groups = 5) {
  Judged j(yaml(type, fill, in.keys, "", s));
  j.device.most_groups = groups;
  const auto& x = j.instance.tensors[0];
  const std::int64_t room = s.batch * s.rows * s.cols == 0 ? 0 : in.room(s);
  EXPECT_EQ(x.storage, room);
  EXPECT_EQ(x.bytes, room * problem::info(x.dtype).bits / 8);
  j.evaluator.fill(seed);
  std::vector<double> numbers;
  std::vector<bool> padding(static_cast<std::size_t>(x.storage), true);
  const Address address = in.address(s);
  each(s, [&](auto b, auto i, auto k) {
    numbers.push_back(get<T>(j.evaluator.input(0), address(b, i, k)));
    EXPECT_TRUE(padding[static_cast<std::size_t>(address(b, i, k))]) << "twice";
    padding[static_cast<std::size_t>(address(b, i, k))] = false;
  });
  for (std::int64_t at = 0; at < x.storage; ++at) {
    if (!padding[static_cast<std::size_t>(at)]) continue;
    // Of whole bytes: NaN of e8m0 is not zero either.
    EXPECT_EQ(std::bit_cast<std::uint64_t>(get<T>(j.evaluator.input(0), at)),
              std::bit_cast<std::uint64_t>(static_cast<double>(program::widen(T{}))));
  }
  return numbers;
}

TEST(Layout, FillsGiveTheSameNumbersWhereverTheyLie) {
  const Shape s{3, 37, 10};
  const std::string normal = "{ normal: { mean: 1, stddev: 2 } }";
  for (const std::string& fill : {normal, std::string("{ uniform: { low: -3, high: 5 } }"),
                                  std::string("{ integers: { low: -7, high: 9 } }"), std::string("ones"),
                                  std::string("{ sequence: { first: 1, step: 0.25 } }")}) {
    const auto plain = filled<float>("f32", fill, row_major, s);
    for (const Case& other : {transposed, padded_rows, scales})
      EXPECT_EQ(filled<float>("f32", fill, other, s), plain) << fill << other.keys;
    EXPECT_EQ(filled<program::e4m3>("e4m3", fill, scales, s),
              filled<program::e4m3>("e4m3", fill, row_major, s))
        << fill;
  }
  EXPECT_EQ(filled<double>("f64", normal, transposed, s), filled<double>("f64", normal, row_major, s));
  EXPECT_EQ(filled<program::i64>("i64", "{ integers: { low: -7, high: 9 } }", scales, s),
            filled<program::i64>("i64", "{ integers: { low: -7, high: 9 } }", row_major, s));
}

template <class T>
void expect_rounded_once(const std::string& type, const Case& in) {
  const std::string fill = "{ normal: { mean: 0.5, stddev: 3 } }";
  for (const Shape s : {Shape{1, 1, 2}, Shape{3, 37, 10}, Shape{2, 7, 130}, Shape{1, 0, 4}}) {
    std::vector<double> exact;  // one word of the stream an element
    for (std::int64_t e = 0; e < s.batch * s.rows * s.cols; ++e) {
      const auto block = program::philox(seed, static_cast<std::uint64_t>(e / 4),
                                         program::stream_of(program::Stream::fill, 0));
      const double x = 0.5 + 3 * program::normal_number(block.word[e % 4]);
      exact.push_back(static_cast<double>(program::widen(program::narrow<T>(x))));
    }
    for (const int groups : {1, 5, 64}) EXPECT_EQ(filled<T>(type, fill, in, s, groups), exact) << type;
  }
}
TEST(Layout, FillsRoundOnceAndPackPairs) {
  expect_rounded_once<program::e4m3>("e4m3", row_major);
  expect_rounded_once<program::e5m2>("e5m2", row_major);
  expect_rounded_once<program::e4m3_fnuz>("e4m3_fnuz", row_major);
  expect_rounded_once<program::e5m2_fnuz>("e5m2_fnuz", row_major);
  expect_rounded_once<program::e2m1>("e2m1", row_major);
  expect_rounded_once<program::e2m1>("e2m1", padded_rows);
}
TEST(Layout, PackedFillsOfOtherKinds) {
  const Shape s{2, 5, 6};
  const std::string integers =
      "{ integers: { low: -4, high: 4 } }";  // the same words as for e4m3, which holds all
  for (const Case& in : {row_major, padded_rows}) {
    EXPECT_EQ(filled<program::e2m1>("e2m1", integers, in, s),
              filled<program::e4m3>("e4m3", integers, row_major, s));
    const auto ramp = filled<program::e2m1>("e2m1", "{ sequence: { first: -6, step: 0.2 } }", in, s);
    for (std::size_t k = 0; k < ramp.size(); ++k)
      EXPECT_EQ(ramp[k], program::widen(program::narrow<program::e2m1>(-6 + 0.2 * double(k))));
    for (const double x : filled<program::e2m1>("e2m1", "ones", in, s)) EXPECT_EQ(x, 1);
    for (const double x : filled<program::e2m1>("e2m1", "zeros", in, s)) EXPECT_EQ(x, 0);
    for (const double x : filled<program::e2m1>("e2m1", "{ uniform: { low: 1, high: 3 } }", in, s))
      EXPECT_TRUE(x >= 1 && x < 3) << x;
  }
  for (const double x : filled<program::e8m0>("e8m0", "{ uniform: { low: 0.25, high: 4 } }", scales, s))
    EXPECT_TRUE(x == 0.25 || x == 0.5 || x == 1 || x == 2) << x;
}

// y = -x, written here through the addresses of both; then one element, then padding, is changed.
template <class T>
void expect_judged(const std::string& type, const Case& in, const Case& out, Shape s, bool full) {
  SCOPED_TRACE(type + in.keys + " to" + out.keys + (full ? " in full" : " sampled"));
  constexpr std::uint8_t poison = 0xA5;
  const bool whole = type[0] == 'i';
  Judged j(yaml(type, whole ? "{ integers: { low: -90, high: 90 } }" : "{ normal: { mean: 0.5 } }", in.keys,
                out.keys, s),
           full);
  const Address from = in.address(s), to = out.address(s);
  j.evaluator.fill(seed);
  j.poison(poison);
  const bool empty = s.batch * s.rows * s.cols == 0;
  if (!empty) {
    const Finding unwritten = j.evaluator.verify(seed, poison);
    EXPECT_FALSE(unwritten.right || unwritten.written) << unwritten.text;
  }
  std::byte* const y = j.evaluator.output(1);
  each(s,
       [&](auto b, auto i, auto k) { put<T>(y, to(b, i, k), -get<T>(j.evaluator.input(0), from(b, i, k))); });
  const Finding right = j.evaluator.verify(seed, poison);  // with padding as poisoned as before
  EXPECT_TRUE(right.right) << right.text;
  EXPECT_TRUE(right.written);
  if (empty) return;
  const std::int64_t last = to(s.batch - 1, s.rows - 1, s.cols - 1);
  const double was = get<T>(y, last);
  put<T>(y, last, was == 2 ? 3 : 2);
  const Finding wrong = j.evaluator.verify(seed, poison);
  EXPECT_FALSE(wrong.right);
  EXPECT_TRUE(wrong.written) << wrong.text;
  EXPECT_THAT(wrong.text, HasSubstr(fmt::format("y[{}, {}, {}] is {}, expected {}", s.batch - 1, s.rows - 1,
                                                s.cols - 1, was == 2 ? 3 : 2, was)));
  EXPECT_THAT(wrong.text, HasSubstr("1 of "));
}
template <class T>
void expect_all_judged(const std::string& type, const std::vector<Case>& cases) {
  for (const Case& in : cases)
    for (const Case& out : cases)
      for (const bool full : {true, false})
        for (const Shape s : {Shape{2, 131, 6}, Shape{1, 1, 2}, Shape{2, 0, 4}})
          expect_judged<T>(type, in, out, s, full);
}
TEST(Layout, WholeBytesAreJudgedWhereTheyLie) {
  expect_all_judged<program::e4m3>("e4m3", {row_major, transposed, scales});
  expect_all_judged<std::int16_t>("i16", {transposed, scales});
}
TEST(Layout, PairsAreJudgedWhereTheyLie) {
  expect_all_judged<program::e2m1>("e2m1", {row_major, padded_rows});
}
TEST(Layout, EveryNarrowTypeIsJudged) {
  const Shape s{2, 9, 6};
  expect_judged<program::e5m2>("e5m2", row_major, row_major, s, true);
  expect_judged<program::e4m3_fnuz>("e4m3_fnuz", row_major, row_major, s, true);
  expect_judged<program::e5m2_fnuz>("e5m2_fnuz", row_major, row_major, s, false);
}

// Only what is there counts: of a padded output each element left out is found, and named.
TEST(Layout, AnElementThatWasNotWrittenIsNamed) {
  const Shape s{2, 130, 8};
  for (const Case& out : {transposed, scales}) {
    for (const bool full : {true, false}) {
      Judged j(yaml("f32", "{ uniform: { low: 1, high: 2 } }", "", out.keys, s), full);
      const Address to = out.address(s);
      j.evaluator.fill(seed);
      j.poison(0xFF);
      const float* x = j.data<float>("x");
      float* y = j.data<float>("y");
      each(s, [&](auto b, auto i, auto k) { y[to(b, i, k)] = -x[(b * s.rows + i) * s.cols + k]; });
      y[to(1, 77, 5)] = std::bit_cast<float>(0xFFFFFFFFu);
      const Finding finding = j.evaluator.verify(seed, 0xFF);
      EXPECT_FALSE(finding.right || finding.written);
      EXPECT_THAT(finding.text, HasSubstr("y[1, 77, 5] is "));
      EXPECT_THAT(finding.text, HasSubstr("1 of all 2080 elements hold the byte 0xff"));
    }
  }
}
TEST(Layout, APairThatWasNotWrittenIsTwoElements) {
  const Shape s{1, 4, 8};
  for (const Case& out : {row_major, padded_rows}) {
    Judged j(yaml("e2m1", "ones", "", out.keys, s));
    j.evaluator.fill(seed);
    j.poison(0xFF);
    each(s, [&](auto b, auto i, auto k) {
      put<program::e2m1>(j.evaluator.output(1), out.address(s)(b, i, k), -1);
    });
    EXPECT_TRUE(j.evaluator.verify(seed, 0xFF).right);
    reinterpret_cast<unsigned char*>(j.evaluator.output(1))[out.address(s)(0, 2, 4) / 2] = 0xFF;
    const Finding finding = j.evaluator.verify(seed, 0xFF);
    EXPECT_FALSE(finding.right);
    EXPECT_TRUE(finding.written);  // one byte may be what it is by chance
    EXPECT_THAT(finding.text, HasSubstr("2 of 32 verified elements wrong"));
    EXPECT_THAT(finding.text, HasSubstr("2 of all 32 elements hold the byte 0xff"));
    EXPECT_THAT(finding.text, HasSubstr("the first y[0, 2, 4]"));
  }
}

TEST(Layout, NanOfANarrowTypeIsFoundInItsPlace) {
  const Shape s{1, 130, 4};
  const auto text = [&](const std::string& type, int nan) {
    Judged j(yaml(type, "ones", "", ", layout: scales_128x4", s), false);
    j.evaluator.fill(seed);
    const Address to = scales.address(s);
    for (std::int64_t at = 0; at < j.instance.tensors[1].storage; ++at)
      reinterpret_cast<unsigned char*>(j.evaluator.output(1))[at] = static_cast<unsigned char>(nan);
    const double minus_one = -1;
    const auto code = type == "e4m3" ? program::narrow<program::e4m3>(minus_one).bits
                                     : program::narrow<program::e5m2_fnuz>(minus_one).bits;
    each(s, [&](auto b, auto i, auto k) {
      reinterpret_cast<unsigned char*>(j.evaluator.output(1))[to(b, i, k)] = code;
    });
    EXPECT_TRUE(j.evaluator.verify(seed, 0xA5).right) << "NaN in padding counted";
    reinterpret_cast<unsigned char*>(j.evaluator.output(1))[to(0, 99, 2)] = static_cast<unsigned char>(nan);
    return j.evaluator.verify(seed, 0xA5).text;
  };
  for (const std::string& found : {text("e4m3", 0xFF), text("e5m2_fnuz", 0x80)}) {
    EXPECT_THAT(found, HasSubstr("y[0, 99, 2] is nan, expected -1"));
    EXPECT_THAT(found, HasSubstr("1 of all 520 elements are not finite, the first y[0, 99, 2]"));
  }
}

TEST(Layout, ChecksReadElementsInOrder) {
  const Shape s{2, 3, 6};
  const std::string checks = "checks: { up: { sorted: y }, same: { permutation: [y, x] } }\n";
  for (const Case& out : {row_major, padded_rows}) {
    Judged j(yaml("e2m1", "{ sequence: { first: -6, step: 0.3 } }", "", out.keys, s, checks));
    j.evaluator.fill(seed);
    const Address to = out.address(s), from = row_major.address(s);
    std::byte* const y = j.evaluator.output(1);
    each(s, [&](auto b, auto i, auto k) {
      put<program::e2m1>(y, to(b, i, k), get<program::e2m1>(j.evaluator.input(0), from(b, i, k)));
    });
    EXPECT_TRUE(j.evaluator.verify(seed, 0xA5).right) << j.evaluator.verify(seed, 0xA5).text;
    put<program::e2m1>(y, to(1, 1, 3), -6);
    const std::string text = j.evaluator.verify(seed, 0xA5).text;
    EXPECT_THAT(text, HasSubstr("y[1, 1, 2] is "));
    EXPECT_THAT(text, HasSubstr("before y[1, 1, 3] is -6, expected ascending order; 1 of 36 elements"));
    EXPECT_THAT(text, HasSubstr("y does not hold the elements of x"));
  }
}

// Padding is room, but no traffic: costs count elements alone.
TEST(Layout, CostsCountElementsAlone) {
  const Shape s{1, 100, 6};
  Judged j(yaml("e4m3", "ones", "", ", layout: scales_128x4", s));
  EXPECT_EQ(j.instance.bytes, 1200);
  EXPECT_EQ(j.instance.tensors[1].bytes, 1024);
  EXPECT_EQ(Judged(yaml("e2m1", "ones", "", "", s)).instance.bytes, 600);
}

}  // namespace
}  // namespace podium::judge
