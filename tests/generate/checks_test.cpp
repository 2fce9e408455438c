// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The judge's program of a problem with every kind of check, a probe, an inout tensor and an excuse compiles
// for the CPU without a warning and, where NVRTC is there, for sm_90; what it declares can be read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/problem/parse/parse.hpp"
#include "tests/judge/program_double.hpp"
#include "tests/paths.hpp"

namespace podium::problem {
namespace {

using testing::HasSubstr;

constexpr std::string_view yaml = R"y(podium: 1
title: t
axes: [n, m]
types: { real: [f64, f32, f16, bf16, i32, u64, u8] }
tensors:
  a: { role: input, dtype: real, shape: [n, m], fill: ones }
  q: { role: output, dtype: real, shape: [n, m] }
  p: { role: output, dtype: i32, shape: [n, m] }
  x: { role: inout, dtype: f32, shape: [n], fill: normal, tolerance: { ulp: 1, scale: magnitude } }
  w: { role: inout, dtype: real, shape: [], fill: zeros }
probe: { z: { shape: [m] }, grid: { shape: [n, m] } }
reference:
  az: { index: { i: n }, reduce: { over: { k: m }, op: sum, term: "a(i, k) * z(k)" } }
  tie: { index: { i: n }, value: "x.initial(i) == 0" }
  twice: { index: { i: n }, value: "x(i) + x.initial(i)" }
  x: { index: [i], value: "x.initial(i) + 1", unless: tie }
checks:
  product: { index: { i: n }, reduce: { over: { k: m }, op: sum, term: "q(i, k) * z(k) + grid(i, k) - az(i)" }, limit: 1 }
  near: { index: [i, k], value: "q(i, k) - a(i, k) + x(i) - x.reference(i) - x.initial(i) + twice(i)", limit: 9 }
  taken: { index: [i, k], value: "a(i, p(i, k)) - q(i, k)", limit: 0 }
  up: { sorted: q }
  pairs: { permutation: [[q, x], [a, x.initial]] }
  alone: { permutation: [w, w.initial] }
  steady: { stable: [q, p] }
  sane: { finite: x }
  upper: { triangular: q, part: upper, unit: true }
  each: { distinct: q }
sample: { i: 5, k: 7 }
workloads: { test: [{ n: 4, m: 1 }], quick: [{ n: 4, m: 1 }], bench: [{ n: 4, m: 1 }] }
)y";

TEST(ChecksProgram, CompilesForTheCpuWithoutAWarningForEveryType) {
  const Problem problem = parse("trial", std::string(yaml), "trial/problem.yaml");
  ASSERT_EQ(problem.choices.size(), 7u);
  for (const Choice& choice : problem.choices)
    EXPECT_NO_THROW(
        judge::compile_program(judge_program(problem, choice), "-O0 -Wall -Wextra -Wpedantic -Werror"))
        << choice.name;
}

TEST(ChecksProgram, CanBeRead) {
  const Problem problem = parse("trial", std::string(yaml), "trial/problem.yaml");
  const std::string text = judge_program(problem, problem.choices[1]);
  EXPECT_THAT(text, HasSubstr("// checks.near\n"));
  EXPECT_THAT(text, HasSubstr("PODIUM_KERNEL(podium_check_near) { podium::program::hold<"));
  EXPECT_THAT(text, HasSubstr("PODIUM_KERNEL(podium_check_steady) { podium::program::stable("));
  EXPECT_THAT(text, HasSubstr("podium::program::triangular<true, true>("));
  EXPECT_THAT(text, testing::Not(HasSubstr("podium_check_sane")));  // the scan has counted already
}

#ifdef PODIUM_NVRTC
TEST(ChecksProgram, CompilesWithNvrtc) {
  const Problem problem = parse("trial", std::string(yaml), "trial/problem.yaml");
  for (const std::size_t c : {1u, 3u, 5u}) {
    const judge::fs::path in =
        judge::fs::path(testing::TempDir()) / ("checks" + std::to_string(getpid()) + ".cu");
    std::ofstream(in) << judge_program(problem, problem.choices[c]);
    const auto [log, status] =
        judge::shell(std::string(PODIUM_NVRTC) + " " + in.string() + " -o " + in.string() +
                     "bin --arch sm_90 -I " + test::source_dir() + "/suite/problem/program");
    EXPECT_EQ(status, 0) << problem.choices[c].name << "\n" << log;
    EXPECT_EQ(log, "") << problem.choices[c].name;
    judge::fs::remove(in);
    judge::fs::remove(in.string() + "bin");
  }
}
#endif

}  // namespace
}  // namespace podium::problem
