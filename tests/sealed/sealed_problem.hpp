// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A problem with axes, a parameter and structure, and sealed contestants that a test writes for it.
#pragma once
#include <gtest/gtest.h>

#include "suite/base/error.hpp"
#include "tests/compile/workshop.hpp"

namespace podium::compile {

constexpr const char* rows_yaml = R"yaml(podium: 1
title: Rows
axes: [rows, cols]
parameters: { alpha: f32 }
types: { real: [f32, bf16] }
structure:
  lengths: { dtype: i32, shape: [rows], compute: "for (i : rows) out(i) = i;" }
tensors:
  x: { role: input, dtype: real, shape: [rows, cols], fill: ones }
  y: { role: output, dtype: real, shape: [rows, cols], tolerance: { ulp: 1, growth: 0 } }
reference:
  y: { index: [i, j], value: "x(i, j)" }
workloads:
  test:
    - { rows: 5, cols: 7, alpha: 0.5 }
    - { rows: 0, cols: 7, alpha: 0.5 }
  quick: [{ rows: 100, cols: 64, alpha: -2 }]
  bench: [{ rows: 1000, cols: 64, alpha: 1 }]
)yaml";

class Sealed : public testing::Test {
 protected:
  Sealed() { folder.write("kernels/rows/problem.yaml", rows_yaml); }
  problem::Problem problem() const { return problem::load(folder.path() / "kernels/rows/problem.yaml"); }
  // The one contestant in a file of this name and text.
  Contestant contestant(const std::string& file, const std::string& text,
                        const std::string& backend = "cuda") const {
    const auto path = folder.write("kernels/rows/" + file, text);
    const auto all = discover(problem(), {path}, backend);
    fs::remove(path);
    if (!all.at(0).fault.empty()) throw Error(all.at(0).fault);
    return all.at(0);
  }
  std::string mistake(const std::string& file, const std::string& text) const {
    try {
      contestant(file, text);
      return "no mistake";
    } catch (const Error& e) {
      return e.what();
    }
  }

  Folder folder;
};

}  // namespace podium::compile
