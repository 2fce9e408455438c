// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which samples are too expensive, and the sentence for it.
#include "suite/cli/measure.hpp"
#include "suite/problem/parse/parse.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace podium::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* yaml = R"y(podium: 1
title: t
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: normal }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }
reference:
  all: { index: { r: n }, value: "x(r) * x(r)" }
  y: { index: [i], reduce: { over: { k: n }, op: sum, term: "x(i) * x(k) + all(k)" } }
sample: { i: 3 }
workloads: { test: [{ n: 41 }] }
)y";

struct Case {
  problem::Problem problem = problem::parse("trial", yaml, "trial/problem.yaml");
  Measured measured;
  Case(double fill, double verify, std::vector<protocol::Rehearsed::Evaluation> evaluations) {
    measured.board = "fixed";
    measured.stage = "bench";
    measured.workload = "n=1000000";
    measured.sample.fill_microseconds = fill;
    measured.sample.verify_microseconds = verify;
    for (const auto& one : evaluations) measured.sample.evaluations[measured.sample.count++] = one;
  }
  std::string sentence() const { return too_expensive(problem, measured, "GPU X"); }
};

// reference, reserved, elements, all, terms, microseconds
const protocol::Rehearsed::Evaluation everywhere{0, 0, 1000000, 1000000, 1, 2000};
const protocol::Rehearsed::Evaluation sampled{1, 0, 13, 1000000, 1000000, 70000};

TEST(Measure, WhatIsCheapEnoughIsNotHeldAgainstTheProblem) {
  EXPECT_EQ(Case(1000, 49000, {everywhere}).sentence(), "");
  EXPECT_NE(Case(1000, 49001, {everywhere}).sentence(), "");
}

TEST(Measure, NamesTheExpensiveReferenceAndWhy) {
  EXPECT_EQ(Case(1000, 73000, {everywhere, sampled}).sentence(),
            "trial/problem.yaml:9: reference.y: a sample of the bench workload n=1000000 (board fixed) costs "
            "74.00 ms on "
            "GPU X, expected at most 50.00 ms; y takes 70.00 ms of it: 13 elements of 1000000 terms each; "
            "draw fewer of "
            "its indices in `sample`, or move its repeated computations to a reference of their own");
  auto whole = everywhere;
  whole.microseconds = 60000;
  EXPECT_THAT(Case(1000, 73000, {whole}).sentence(),
              AllOf(StartsWith("trial/problem.yaml:8: reference.all: "), HasSubstr("all takes 60.00 ms"),
                    HasSubstr("evaluated everywhere: call it with indices of the output")));
}

TEST(Measure, FillsAndScansHaveTheirShare) {
  EXPECT_THAT(Case(90000, 3000, {everywhere}).sentence(),
              HasSubstr("fills of the inputs take 90.00 ms of it, which only smaller tensors make less"));
  EXPECT_THAT(Case(1000, 80000, {everywhere}).sentence(),
              HasSubstr("scans and comparisons of the outputs take 78.00 ms"));
  EXPECT_THAT(Case(1000, 80000, {}).sentence(), HasSubstr("scans and comparisons"));
}

TEST(Measure, AFullVerificationIsEstimatedByElements) {
  const Case one(1000, 73000, {everywhere, sampled});
  EXPECT_NEAR(estimate_full(one.measured.sample), 1000 + 73000 + 70000 * (1e6 / 13 - 1), 1);
  EXPECT_EQ(estimate_full(Case(1, 2, {}).measured.sample), 3);
}

}  // namespace
}  // namespace podium::cli
