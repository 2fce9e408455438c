// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Each mistake in a problem file, and the sentence for it: file, line, key, found, expected, nearest name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/problem/sample.hpp"

namespace podium::problem {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Case {
  std::string from, to, sentence;  // the whole text of the error
};

class Mistake : public testing::TestWithParam<Case> {};

TEST_P(Mistake, IsOneSentence) {
  const auto& [from, to, sentence] = GetParam();
  EXPECT_EQ(mistakes_of(with(from, to)), sentence);
}

TEST(Sample, IsWithoutMistake) { EXPECT_EQ(mistakes_of(sample), "accepted"); }

INSTANTIATE_TEST_SUITE_P(Head, Mistake, testing::Values(
  Case{"podium: 1", "podium: 2", "p.yaml:1: podium: found \"2\", expected 1, the version of the format"},
  Case{"podium: 1\n", "", "p.yaml:1: podium: found nothing, expected 1, the version of the format"},
  Case{"title: Row-wise softmax\n", "", "p.yaml:1: title: found nothing, expected a line of text"},
  Case{"sample: {", "smaple: {", "p.yaml:23: unknown key: found \"smaple\", expected one of podium, title, description, axes, "
       "conditions, parameters, constants, types, tensors, reference, checks, sample, cost, workloads, requires, baseline "
       "(nearest: \"sample\")"},
  Case{"sample: {", "structure: {", "p.yaml:23: found \"structure\", which is not there yet; there is: podium, title, "
       "description, axes, conditions, parameters, constants, types, tensors, reference, checks, sample, cost, workloads, "
       "requires, baseline"}));

INSTANTIATE_TEST_SUITE_P(Quantities, Mistake, testing::Values(
  Case{"head: 4", "head: four", "p.yaml:7: constants.head: found \"four\", expected a number"},
  Case{"head: 4", "class: 4, head: 4", "p.yaml:7: constants.class: found \"class\", which is a C++ keyword, expected another name"},
  Case{"head: 4", "podium_x: 4, head: 4", "p.yaml:7: constants.podium_x: found \"podium_x\", expected a name that does not begin "
       "with podium; those are Podium's own"},
  Case{"head: 4", "1st: 4, head: 4", "p.yaml:7: constants.1st: found \"1st\", expected a name of at most 64 letters, digits and _ "
       "that does not begin with a digit"},
  Case{"head: 4", "_Head: 4, head: 4", "p.yaml:7: constants._Head: found \"_Head\", which C++ reserves, expected a name without __ "
       "and without _ before a capital"},
  Case{"head: 4", "sqrt: 4, head: 4", "p.yaml:7: constants.sqrt: found \"sqrt\", which has a meaning of its own here, expected "
       "another name"},
  Case{"{ scale: f32 }", "{ scale: f32, rows: f32 }", "p.yaml:6: parameters.rows: found \"rows\", which line 4 uses for an axis, "
       "expected a name of its own; rename one of them"},
  Case{"{ scale: f32 }", "{ scale: f16 }", "p.yaml:6: parameters.scale: found \"f16\", expected f32 or f64"},
  Case{"ceil_div(cols, head)", "ceil_div(cols, hed)", "p.yaml:4: axes.blocks: in \"ceil_div(cols, hed)\" found \"hed\", expected "
       "one of blocks, cols, head, rows, scale, slope (nearest: \"head\")"},
  Case{"ceil_div(cols, head)", "blocks + 1", "p.yaml:4: axes.blocks: found formulas that need each other (blocks → blocks), "
       "expected none to need itself"},
  Case{"ceil_div(cols, head)", "cols + \", more: \"blocks", "p.yaml:4: found text that is not YAML, expected YAML 1.2: end of map flow "
       "not found (column 50)"},
  Case{"ceil_div(cols, head)\"", "2 * more\", more: \"blocks / 2\"", "p.yaml:4: axes.blocks: found formulas that need each other "
       "(blocks → more → blocks), expected none to need itself"},
  Case{"axes: { rows: , cols: , blocks: \"ceil_div(cols, head)\" }", "axes: rows", "p.yaml:4: axes: found \"rows\", expected a list "
       "of names, or a map from names to formulas"},
  Case{"[\"cols > 0\"]", "[\"cols >> 0\"]", "p.yaml:5: conditions[0]: found \"cols >> 0\", expected no \">>\"; there are + - * / ( ) == "
       "!= < <= > >= && || ?: and functions"},
  Case{"[f32, bf16]", "[f32, bf16, f32]", "p.yaml:8: types.real[2]: found a dtype that the list already has, expected each once"},
  Case{"[f32, bf16]", "[f32, bf16, e4m3]", "p.yaml:8: types.real[2]: found \"e4m3\", which is not there yet; there is: f64, f32, f16, "
       "bf16, i64, i32, i16, i8, u64, u32, u16, u8, bool"},
  Case{"[f32, bf16]", "[f32, bf16, f31]", "p.yaml:8: types.real[2]: unknown dtype: found \"f31\", expected one of f64, f32, f16, bf16, "
       "i64, i32, i16, i8, u64, u32, u16, u8, bool (nearest: \"f32\")"},
  Case{"[f32, bf16] }", "[f32, bf16], other: [f32] }", "p.yaml:10: tensors: found no tensor of dtype other, expected one for every key "
       "of types; remove the key"}));

INSTANTIATE_TEST_SUITE_P(Tensors, Mistake, testing::Values(
  Case{"x: { role: input,", "x: { role: inputs,", "p.yaml:10: tensors.x.role: found \"inputs\", expected one of input, output (nearest: "
       "\"input\")"},
  Case{"w: { role: input,", "w: { role: inout,", "p.yaml:11: tensors.w.role: found \"inout\", which is not there yet; there is: input, "
       "output"},
  Case{"x: { role: input, dtype: real", "x: { role: input, dtype: rael", "p.yaml:10: tensors.x.dtype: unknown dtype: found \"rael\", "
       "expected one of f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, bool, real (nearest: \"real\")"},
  Case{"shape: [blocks]", "shape: [block]", "p.yaml:11: tensors.w.shape[0]: in \"block\" found \"block\", expected one of blocks, cols, "
       "head, rows, scale, slope (nearest: \"blocks\")"},
  Case{"shape: [blocks]", "shape: blocks", "p.yaml:11: tensors.w.shape: found \"blocks\", expected a list of extents, as in [rows, "
       "cols]; [] for a single number"},
  Case{"shape: [blocks]", "shape: [blocks, 1, 1, 1, 1, 1, 1]", "p.yaml:11: tensors.w.shape: found rank 7, expected at most 6\n"
       "p.yaml:19: reference.t.reduce.term: found w with 1 index, expected 7"},
  Case{"shape: [blocks]", "shape: [blocks], strides: [1]", "p.yaml:11: tensors.w: found \"strides\", which is not there yet; there is: "
       "role, dtype, shape, fill, tolerance"},
  Case{", fill: { integers: { low: 0, high: 9 } }", "", "p.yaml:11: tensors.w.fill: found nothing, expected how the input is filled, as "
       "in { normal: { mean: 0, stddev: 1 } }"},
  Case{"{ integers: { low: 0, high: 9 } }", "{ integer: { low: 0, high: 9 } }", "p.yaml:11: tensors.w.fill: unknown fill: found "
       "\"integer\", expected one of integers, normal, ones, sequence, uniform, zeros (nearest: \"integers\")"},
  Case{"{ integers: { low: 0, high: 9 } }", "{ permutation: {} }", "p.yaml:11: tensors.w.fill: found \"permutation\", which is not there "
       "yet; there is: integers, normal, ones, sequence, uniform, zeros"},
  Case{"{ integers: { low: 0, high: 9 } }", "{ integers: { low: 0 } }", "p.yaml:11: tensors.w.fill: found integers without high, "
       "expected both low and high (inclusive)"},
  Case{"{ integers: { low: 0, high: 9 } }", "{ integers: { low: 0, hihg: 9, high: 9 } }", "p.yaml:11: tensors.w.fill.integers: unknown "
       "key: found \"hihg\", expected one of low, high (nearest: \"high\")"},
  Case{"t: { role: output, dtype: i32, shape: [] }", "t: { role: output, dtype: i32, shape: [], fill: ones }", "p.yaml:14: "
       "tensors.t.fill: found a fill of an output, expected none; contestants write outputs"},
  Case{"t: { role: output, dtype: i32, shape: [] }", "t: { role: output, dtype: i32, shape: [], tolerance: { ulp: 1 } }", "p.yaml:14: "
       "tensors.t.tolerance: found a tolerance of dtype i32, expected none; integers are exact"},
  Case{", tolerance: { ulp: 4, growth: \"sqrt(cols)\", scale: magnitude }", "", "p.yaml:12: tensors.y: found no tolerance, expected "
       "one, as in { ulp: 1, growth: \"sqrt(k)\", scale: magnitude }"},
  Case{"{ ulp: 4, growth", "{ upl: 4, growth", "p.yaml:12: tensors.y.tolerance: unknown key: found \"upl\", expected one of ulp, growth, "
       "scale, accumulate (nearest: \"ulp\")\np.yaml:12: tensors.y.tolerance.ulp: found nothing, expected a number: units in the last "
       "place of the output's dtype"},
  Case{"scale: magnitude", "scale: magnitud", "p.yaml:12: tensors.y.tolerance.scale: unknown scale: found \"magnitud\", expected one of "
       "value, magnitude, peak, total, y, t (nearest: \"magnitude\")"},
  Case{"scale: magnitude", "scale: magnitude, accumulate: f24", "p.yaml:12: tensors.y.tolerance.accumulate: found \"f24\", expected one of "
       "bf16, f16, f32, f64, tf32 (nearest: \"f64\")"},
  Case{"  s: { role: output, dtype: real, shape: [rows, cols] }", "  s: { role: output, dtype: real, shape: [rows, cols], tolerance: { ulp: "
       "1 } }", "p.yaml:13: tensors.s.tolerance: found the tolerance of an output without a reference, expected none"}));

INSTANTIATE_TEST_SUITE_P(References, Mistake, testing::Values(
  Case{"  t: { index: [], reduce: { over: { k: blocks }, op: sum, term: \"w(k)\" } }\n", "", "p.yaml:14: tensors.t: found an output without "
       "reference or check, expected either; what is not verified cannot be ranked"},
  Case{"  t: { index: [],", "  w: { index: [],", "p.yaml:14: tensors.t: found an output without reference or check, expected either; what is "
       "not verified cannot be ranked\np.yaml:19: reference.w: found a reference of an input, expected an output or a new name; inputs are "
       "filled"},
  Case{"index: [i, j], value", "index: [i], value", "p.yaml:16: reference.y.index: found 1 indices, expected 2: one for every axis of y"},
  Case{"index: [i, j], value", "index: { i: rows, j: cols }, value", "p.yaml:16: reference.y.index: found a map, expected a list of names, "
       "since the shape of an output gives the ranges"},
  Case{"total: { index: { i: rows }", "total: { index: [i]", "p.yaml:17: reference.total.index: found a list, expected a map from indices to "
       "ranges, as in { i: rows }; only an output's index is a list\np.yaml:16: reference"} ), [](const auto& test) { return std::to_string(test.index); });

}  // namespace
}  // namespace podium::problem
