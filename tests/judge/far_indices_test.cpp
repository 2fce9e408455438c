// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Indices, ranges, strides and element numbers over 2^31, each form against its closed form.
#include <cmath>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

constexpr std::int64_t far = (std::int64_t{1} << 31) - 3;  // the ranges below begin here, and go over 2^31
constexpr std::int64_t width = 70;

// Axes m, n = far, width; indices run over [m, m + n). Only test workloads: the form host has no other.
constexpr const char* distant = R"y(podium: 1
title: t
axes: [m, n]
tensors:
  mapped: { role: output, dtype: i64, shape: [n] }
  total: { role: output, dtype: i64, shape: [n] }
  tiles: { role: output, dtype: i64, shape: [n, n] }
  real: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 1 } }
  before: { role: output, dtype: i64, shape: [n] }
  hits: { role: output, dtype: i64, shape: [n] }
  state: { role: output, dtype: i64, shape: [n] }
  ranked: { role: output, dtype: i64, shape: [n] }
  body: { role: output, dtype: i64, shape: [n] }
  walked: { role: output, dtype: i64, shape: [n] }
reference:
  square: { index: { a: [m, m + n] }, value: "a * a" }
  mapped: { index: [i], value: "square(m + i)" }
  total: { index: [i], reduce: { over: { a: [m, m + n] }, op: sum, term: "square(a) / (a + i)" } }
  tiles: { index: [i, j], reduce: { over: { a: [m, m + n] }, op: sum, term: "(a + i) * (a - j)" } }
  real: { index: [i], reduce: { over: { a: { low: m, high: "m + i" } }, op: sum, term: "double(a) * a" } }
  sums: { index: { a: [m, m + n] }, scan: { along: a, op: sum, term: "a" } }
  before: { index: [i], value: "sums(m + i)" }
  table: { index: { v: [m, m + n] }, scatter: { over: { a: [m, m + n] }, at: { v: "m + (a - m) * 3 % n" }, op: sum, term: "a" } }
  hits: { index: [i], value: "table(m + i)" }
  states: { index: { a: [m, m + n] }, recur: { along: a, first: "a", next: "states(a - 1) + a % 7" } }
  state: { index: [i], value: "states(m + i)" }
  ranked: { index: [i], order: { along: { a: [m, m + n] }, by: "-a" } }
  bodies: { index: { a: [m, m + n] }, code: "i64 s = 0; for (i64 b = m; b <= a; ++b) s += b % 5; return s;" }
  body: { index: [i], value: "bodies(m + i)" }
  walks: { index: { a: [m, m + n] }, host: { integral: true, body: "for (i64 a = m; a < m + n; ++a) out(a) = a + 1;" } }
  walked: { index: [i], value: "walks(m + i)" }
sample: { i: 9, j: 9 }
workloads: { test: [{ m: 2147483645, n: 70 }] }
)y";

void expect_distant(Judged& judged) {
  const auto put = [&](const std::string& name, std::int64_t at, std::int64_t value) {
    judged.data<std::int64_t>(name)[at] = value;
  };
  std::int64_t sum = 0, state = 0, digits = 0;
  double real = 0;
  std::vector<std::int64_t> hits(width);
  for (std::int64_t k = 0; k < width; ++k) hits[static_cast<std::size_t>(k * 3 % width)] += far + k;
  for (std::int64_t i = 0; i < width; ++i) {
    const std::int64_t a = far + i;
    put("mapped", i, a * a);
    std::int64_t total = 0;
    for (std::int64_t b = far; b < far + width; ++b) total += b * b / (b + i);
    put("total", i, total);
    for (std::int64_t j = 0; j < width; ++j) {
      std::int64_t tile = 0;
      for (std::int64_t b = far; b < far + width; ++b)  // wraps, as numbers of the form do
        tile = static_cast<std::int64_t>(static_cast<std::uint64_t>(tile) +
                                         static_cast<std::uint64_t>((b + i) * (b - j)));
      put("tiles", i * width + j, tile);
    }
    judged.data<double>("real")[i] = real;
    real += static_cast<double>(a) * static_cast<double>(a);
    put("before", i, sum += a);
    put("hits", i, hits[static_cast<std::size_t>(i)]);
    put("state", i, state = i == 0 ? a : state + a % 7);
    put("ranked", i, far + width - 1 - i);
    put("body", i, digits += a % 5);
    put("walked", i, a + 1);
  }
}

TEST(FarIndices, EveryFormBeyond32Bits) {
  for (const bool full : {true, false}) agrees(distant, full, 3, expect_distant);
  Judged judged(distant);
  judged.evaluator.fill(forms_seed);
  expect_distant(judged);
  for (const std::string name :
       {"mapped", "total", "tiles", "before", "hits", "state", "ranked", "body", "walked"}) {
    std::int64_t& last = judged.data<std::int64_t>(name)[judged.elements(name) - 1];
    last += std::int64_t{1} << 32;
    EXPECT_FALSE(judged.evaluator.verify(forms_seed, forms_poison).right) << name;
    last -= std::int64_t{1} << 32;
  }
  EXPECT_TRUE(judged.evaluator.verify(forms_seed, forms_poison).right);
}

// More terms than 32 bits count, split over groups.
TEST(FarIndices, MoreThan32BitsOfTerms) {
  const std::string yaml = problem_of(R"y(tensors:
  y: { role: output, dtype: i64, shape: [] }
reference:
  y: { index: [], reduce: { over: { a: m }, op: count, term: "a != 1" } }
)y",
                                      "{ m: 2147483655, n: 3 }");
  Judged judged(yaml);
  judged.evaluator.fill(forms_seed);
  *judged.data<std::int64_t>("y") = 2147483654;
  EXPECT_TRUE(judged.evaluator.verify(forms_seed, forms_poison).right);
  *judged.data<std::int64_t>("y") -= std::int64_t{1} << 32;
  EXPECT_FALSE(judged.evaluator.verify(forms_seed, forms_poison).right);
}

// Elements far apart: 2^31 places, of half a byte each, from row to row.
TEST(FarIndices, StridesBeyond32Bits) {
  Judged judged(problem_of(R"y(tensors:
  x: { role: input, dtype: e2m1, shape: [2, n], strides: [2147483652, 1], fill: { sequence: { first: -6, step: 1 } } }
  y: { role: output, dtype: f32, shape: [2, n], tolerance: { ulp: 0 } }
reference:
  y: { index: [i, j], value: "x(i, j)" }
)y",
                           "{ m: 1, n: 6 }", "{ m: 1, n: 2 }"));
  judged.evaluator.fill(forms_seed);
  constexpr float numbers[] = {-6, -4, -4, -3, -2, -1, 0, 1, 2, 3, 4, 4};  // 5 is a tie
  std::copy_n(numbers, 12, judged.data<float>("y"));
  const Finding right = judged.evaluator.verify(forms_seed, forms_poison);
  EXPECT_TRUE(right.right) << right.text;
  const auto* row = judged.data<std::uint8_t>("x") + 2147483652 / 2;
  EXPECT_EQ(row[1], 0x54) << "2 in the low half, then 3";
  judged.data<float>("y")[11] = 1;
  EXPECT_FALSE(judged.evaluator.verify(forms_seed, forms_poison).right);
}

// An output of more elements than 32 bits number, sampled: one element that is wrong beyond them, where it
// shows.
TEST(FarIndices, OutputsBeyond32Bits) {
  Judged judged(problem_of(R"y(tensors:
  y: { role: output, dtype: e2m1, shape: [m, n], tolerance: { ulp: 0 } }
reference:
  y: { index: [i, j], value: "(i + j) % 4" }
sample: { i: 5, j: 5 }
)y",
                           "{ m: 1, n: 2147483664 }", "{ m: 1, n: 2 }"),
                false);
  judged.evaluator.fill(forms_seed);
  auto* y = judged.data<std::uint8_t>("y");
  // 0, 1, 2, 3 are the patterns 0, 2, 4, 5; the first of two lies in the low half.
  const std::int64_t bytes = judged.elements("y") / 2;
  constexpr std::uint16_t four = 0x5420;
  std::fill_n(judged.data<std::uint16_t>("y"), bytes / 2, four);
  const Finding right = judged.evaluator.verify(forms_seed, forms_poison);
  EXPECT_TRUE(right.right) << right.text;
  y[bytes - 1] = 0x44;  // the very last is always verified
  const Finding wrong = judged.evaluator.verify(forms_seed, forms_poison);
  EXPECT_FALSE(wrong.right);
  EXPECT_THAT(wrong.text, testing::HasSubstr("y[0, 2147483663] is 2, expected 3"));
}

}  // namespace
}  // namespace podium::judge
