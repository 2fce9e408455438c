// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The least problem that a contestant can solve: y is x.
#pragma once
#include <string>

namespace podium::test {

// Ten elements are verified, `elements` timed. It has no baseline; more of its file may be appended.
inline std::string copy_problem(int elements) {
  return R"y(podium: 1
title: Copy
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: normal }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 0 } }
reference:
  y: { index: [i], value: "x(i)" }
workloads: { test: [{ n: 10 }], quick: [{ n: )y" +
         std::to_string(elements) + " }] }\n";
}

}  // namespace podium::test
