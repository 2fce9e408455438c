// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A problem that uses most of the format, to be spoilt in one place at a time.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "suite/base/error.hpp"
#include "suite/problem/problem.hpp"

namespace podium::problem {

inline const std::string sample = R"(podium: 1
title: Row-wise softmax
description: test
axes: { rows: , cols: , blocks: "ceil_div(cols, head)" }
conditions: ["cols > 0"]
parameters: { scale: f32 }
constants: { head: 4, slope: 0.5 }
types: { real: [f32, bf16] }
tensors:
  x: { role: input, dtype: real, shape: [rows, cols], fill: { normal: { mean: 0, stddev: 1 } } }
  w: { role: input, dtype: i32, shape: [blocks], fill: { integers: { low: 0, high: 9 } } }
  y: { role: output, dtype: real, shape: [rows, cols], tolerance: { ulp: 4, growth: "sqrt(cols)", scale: magnitude } }
  s: { role: output, dtype: real, shape: [rows, cols] }
  t: { role: output, dtype: i32, shape: [] }
reference:
  y: { index: [i, j], value: "exp(x(i, j) - peak(i)) / total(i)" }
  total: { index: { i: rows }, reduce: { over: { j: cols }, op: sum, term: "exp(x(i, j) - peak(i))" } }
  peak: { index: { i: rows }, reduce: { over: { j: [0, cols] }, op: max, term: "x(i, j)" } }
  t: { index: [], reduce: { over: { k: blocks }, op: sum, term: "w(k)" } }
checks:
  ascending: { sorted: s, descending: true }
  same: { permutation: [s, x] }
sample: { i: 64, j: 32 }
cost: { bytes: auto, flops: 5 * rows * cols }
workloads:
  test: [ { rows: 1, cols: 1, scale: 1 }, { rows: 7, cols: 1023, scale: 0.1, real: bf16 } ]
  quick: [ { rows: 512, cols: 4096, scale: 2, fill: { x: ones }, name: ones } ]
  bench: [ { rows: 4096, cols: 32768, scale: -1e3 } ]
requires: { memory: 2 GiB, scratch: 64 MiB }
baseline: { cuda: cub, host: threads }
)";

inline std::string with(const std::string& from, const std::string& to) {
  std::string text = sample;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << "twice: " << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

inline std::string mistakes_of(const std::string& source) {
  try {
    parse("thing", source, "p.yaml");
    return "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit(), Exit::usage);
    return error.what();
  }
}

}  // namespace podium::problem
