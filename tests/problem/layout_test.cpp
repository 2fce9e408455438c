// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Narrow dtypes, strides and named layouts in problem files: what is read, what contestants see of it, and
// the sentence for every refusal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "suite/problem/formula/formula.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/problem/sample.hpp"

namespace podium::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// One tensor `x` of these keys beside a scalar output.
std::string with_tensor(const std::string& keys, int rows = 3, int cols = 8) {
  return R"y(podium: 1
title: t
axes: [rows, cols]
tensors:
  x: { role: input, )y" +
         keys + R"y( }
  y: { role: output, dtype: i32, shape: [] }
reference: { y: { index: [], value: "1" } }
workloads: { test: [{ rows: )y" +
         std::to_string(rows) + ", cols: " + std::to_string(cols) +
         " }], quick: [{ rows: 2, cols: 8 }], bench: [{ rows: 2, cols: 8 }] }\n";
}
TensorInstance made(const std::string& keys, int rows = 3, int cols = 8) {
  const Problem problem = parse("thing", with_tensor(keys, rows, cols), "p.yaml");
  return instantiate(problem, problem.choices[0], problem.workloads[0]).tensors[0];
}
std::string refused(const std::string& keys, int rows = 3, int cols = 8) {
  return mistakes_of(with_tensor(keys, rows, cols));
}

void expect_view(const TensorInstance& x, const std::vector<std::int64_t>& extents,
                 const std::vector<std::int64_t>& strides) {
  EXPECT_EQ(view_of(x).extents, extents);
  EXPECT_EQ(view_of(x).strides, strides);
  EXPECT_EQ(view_rank(x.layout, x.extents.size()), extents.size());
}

TEST(Layouts, RowMajor) {
  const auto x = made("dtype: f16, shape: [2, rows, cols], fill: ones");
  EXPECT_EQ(x.bytes, 96);
  EXPECT_EQ(x.content, 96);
  EXPECT_EQ(x.storage, 48);
  EXPECT_EQ(position_of(x, 47), 47);
  expect_view(x, {2, 3, 8}, {24, 8, 1});
  expect_view(made("dtype: f16, shape: [], fill: ones"), {}, {});
}

TEST(Layouts, Strided) {
  const auto x = made("dtype: f32, shape: [rows, cols], strides: [1, rows + 2], fill: ones");
  EXPECT_EQ(x.layout, Layout::strided);
  EXPECT_THAT(x.strides, ElementsAre(1, 5));
  EXPECT_EQ(x.elements, 24);
  EXPECT_EQ(x.storage, 1 + 2 + 7 * 5);
  EXPECT_EQ(x.bytes, 4 * 38);
  EXPECT_EQ(x.content, 4 * 24);
  EXPECT_EQ(position_of(x, 0), 0);
  EXPECT_EQ(position_of(x, 23), 37);
  EXPECT_EQ(position_of(x, 9), 1 + 5);
  expect_view(x, {3, 8}, {1, 5});
  EXPECT_EQ(made("dtype: f32, shape: [rows, cols], strides: [rows - 1, rows], fill: ones", 1, 8).storage, 8);
  EXPECT_EQ(made("dtype: f32, shape: [rows, cols], strides: [1, rows], fill: ones", 0, 8).bytes, 0);
  EXPECT_EQ(made("dtype: f32, shape: [], strides: [], fill: ones").layout, Layout::row_major);
}

TEST(Layouts, PairsOfE2m1) {
  const auto x = made("dtype: e2m1, shape: [rows, cols], fill: ones");
  EXPECT_EQ(x.elements, 24);
  EXPECT_EQ(x.bytes, 12);
  expect_view(x, {3, 4}, {4, 1});
  const auto apart = made("dtype: e2m1, shape: [rows, cols], strides: [cols + 2, 1], fill: ones");
  EXPECT_EQ(apart.bytes, 14);
  EXPECT_EQ(apart.content, 12);
  expect_view(apart, {3, 4}, {5, 1});
  EXPECT_EQ(made("dtype: e2m1, shape: [rows, cols], fill: ones", 0, 8).bytes, 0);
  EXPECT_EQ(made("dtype: e2m1, shape: [rows, cols], fill: ones", 3, 0).bytes, 0);
}

TEST(Layouts, ScalesInTiles) {
  const auto x = made("dtype: e8m0, shape: [2, rows, cols], layout: scales_128x4, fill: ones", 129, 5);
  EXPECT_EQ(x.elements, 1290);
  EXPECT_EQ(x.bytes, 2 * 2 * 2 * 512);
  EXPECT_EQ(x.content, 1290);
  expect_view(x, {2, 2, 2, 32, 4, 4}, {2048, 1024, 512, 16, 4, 1});
  // Row 128 begins the second row of tiles, column 4 the second tile across.
  EXPECT_EQ(position_of(x, 0), 0);
  EXPECT_EQ(position_of(x, 3), 3);
  EXPECT_EQ(position_of(x, 4), 512);
  EXPECT_EQ(position_of(x, 5), 16);
  EXPECT_EQ(position_of(x, 32 * 5), 4);
  EXPECT_EQ(position_of(x, 33 * 5 + 2), 16 + 4 + 2);
  EXPECT_EQ(position_of(x, 128 * 5), 1024);
  EXPECT_EQ(position_of(x, 129 * 5), 2048);
  std::set<std::int64_t> places;
  for (std::int64_t k = 0; k < x.elements; ++k) places.insert(position_of(x, k));
  EXPECT_EQ(places.size(), 1290u);
  EXPECT_GE(*places.begin(), 0);
  EXPECT_LT(*places.rbegin(), x.storage);
  EXPECT_EQ(made("dtype: e8m0, shape: [rows, cols], layout: scales_128x4, fill: ones", 0, 5).bytes, 0);
}

TEST(Layouts, SizesAndAccumulators) {
  const Scope none;
  EXPECT_EQ(evaluate("size(e2m1) * 6", none), 3);
  EXPECT_EQ(evaluate("size(e4m3) + size(e8m0)", none), 2);
  EXPECT_EQ(evaluate("eps(e4m3) + eps(e5m2)", none), 0.375);
  const std::string text = with("growth: \"sqrt(cols)\"", "accumulate: e5m2, growth: \"sqrt(cols)\"");
  EXPECT_EQ(parse("thing", text, "p.yaml").tensor("y")->tolerance.accumulate_eps, 0.25);
}

TEST(Layouts, Refusals) {
  const std::string in = "p.yaml:5: tensors.x: in the test workload rows=3,cols=8 (line 8) ";
  EXPECT_EQ(refused("dtype: f32, shape: [rows, cols], strides: [cols, 1], layout: scales_128x4, fill: ones"),
            "p.yaml:5: tensors.x: found both strides and layout, expected one of them");
  EXPECT_EQ(refused("dtype: f32, shape: [rows, cols], strides: [cols], fill: ones"),
            "p.yaml:5: tensors.x.strides: found 1 strides, expected 2: one for every axis of the shape");
  EXPECT_EQ(refused("dtype: f32, shape: [rows, cols], strides: cols, fill: ones"),
            "p.yaml:5: tensors.x.strides: found \"cols\", expected a list of strides in elements, as in "
            "[pitch, 1]");
  EXPECT_THAT(refused("dtype: f32, shape: [rows, cols], strides: [clos, 1], fill: ones"),
              HasSubstr("p.yaml:5: tensors.x.strides[0]: "));
  EXPECT_EQ(
      refused("dtype: f32, shape: [rows, cols], strides: [cols - 1, 1], fill: ones"),
      in + "found the strides [7, 1] for the shape [3, 8], by which elements share memory, expected a place "
           "for each");
  EXPECT_THAT(refused("dtype: f32, shape: [rows, cols], strides: [0, 1], fill: ones"),
              HasSubstr("share memory"));
  EXPECT_THAT(refused("dtype: f32, shape: [rows, cols], strides: [cols / 3, 1], fill: ones"),
              HasSubstr("tensors.x.strides[0]: in the test workload rows=3,cols=8 (line 8) found cols / 3 = "
                        "2.6666666666666665, expected a stride that is whole, not negative and below 2^53"));
  EXPECT_THAT(refused("dtype: f32, shape: [rows, cols], strides: [-8, 1], fill: ones"),
              HasSubstr("found -8, expected a stride that is whole, not negative"));
  EXPECT_THAT(refused("dtype: f32, shape: [rows, cols], strides: [\"pow(2, 52)\", 1], fill: ones"),
              HasSubstr("expected fewer than 2^53"));
  EXPECT_EQ(
      refused("dtype: f32, shape: [rows, cols], layout: scales_128x5, fill: ones"),
      "p.yaml:5: tensors.x.layout: unknown layout: found \"scales_128x5\", expected scales_128x4 (nearest: "
      "\"scales_128x4\")");
  EXPECT_EQ(
      refused("dtype: f32, shape: [cols], layout: scales_128x4, fill: ones"),
      "p.yaml:5: tensors.x.layout: found scales_128x4 for a shape of rank 1, expected [rows, columns] or "
      "[batch, rows, columns]");
  EXPECT_EQ(
      refused("dtype: e2m1, shape: [rows, cols], fill: ones", 3, 7),
      "p.yaml:5: tensors.x: in the test workload rows=3,cols=7 (line 8) found the shape [3, 7] of e2m1, "
      "expected a last extent that is even, since two elements share a byte along the last axis; pad it");
  EXPECT_THAT(refused("dtype: e2m1, shape: [], fill: ones"), HasSubstr("found the shape [] of e2m1"));
  EXPECT_EQ(refused("dtype: e2m1, shape: [rows, cols], layout: scales_128x4, fill: ones"),
            in + "found e2m1 in the layout scales_128x4, expected a dtype of whole bytes");
  EXPECT_EQ(refused("dtype: e2m1, shape: [rows, cols], strides: [cols + 1, 1], fill: ones"),
            in + "found the strides [9, 1] of e2m1, expected 1 along the last axis and even ones elsewhere, "
                 "since two "
                 "elements share a byte");
  EXPECT_THAT(refused("dtype: e2m1, shape: [rows, cols], strides: [2, 2 * rows], fill: ones"),
              HasSubstr("found the strides [2, 6] of e2m1"));
}

TEST(Layouts, FillsStayWithinNarrowTypes) {
  const auto fill = [](const std::string& dtype, const std::string& fill) {
    return refused("dtype: " + dtype + ", shape: [rows, cols], fill: " + fill);
  };
  EXPECT_EQ(fill("e4m3", "{ uniform: { low: -448, high: 448 } }"), "accepted");
  EXPECT_THAT(fill("e4m3", "{ uniform: { low: 0, high: 449 } }"),
              HasSubstr("found numbers from 0 to 449, expected what e4m3 holds: -448 to 448"));
  EXPECT_THAT(fill("e4m3_fnuz", "{ integers: { low: -300, high: 0 } }"), HasSubstr("holds: -240 to 240"));
  EXPECT_THAT(fill("e2m1", "{ integers: { low: 0, high: 7 } }"), HasSubstr("holds: -6 to 6"));
  EXPECT_THAT(fill("e8m0", "zeros"), HasSubstr("found numbers from 0 to 0, expected what e8m0 holds: 5.877"));
  EXPECT_THAT(fill("e8m0", "normal"), HasSubstr("expected what e8m0 holds"));
  EXPECT_THAT(fill("e8m0", "{ normal: { mean: 3, stddev: 1 } }"), HasSubstr("found numbers from -0.46"));
  EXPECT_EQ(fill("e8m0", "{ normal: { mean: 4, stddev: 1 } }"), "accepted");
  EXPECT_EQ(fill("e8m0", "{ uniform: { low: 0.5, high: 2 } }"), "accepted");
  EXPECT_EQ(fill("e8m0", "ones"), "accepted");
}

}  // namespace
}  // namespace podium::problem
