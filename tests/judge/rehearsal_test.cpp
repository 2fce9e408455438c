// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Rehearsals: which references were evaluated, on how many elements with how many terms, in what time.
#include "suite/judge/rehearsal.hpp"

#include <gtest/gtest.h>

#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

constexpr const char* yaml = R"y(podium: 1
title: t
axes: [m, n]
tensors:
  x: { role: input, dtype: f32, shape: [m, n], fill: normal }
  y: { role: output, dtype: f32, shape: [m], tolerance: { ulp: 1 } }
reference:
  square: { index: { i: m, k: n }, value: "x(i, k) * x(i, k)" }
  y: { index: [i], reduce: { over: { j: n, k: 2 }, op: sum, term: "square(i, j) + k" } }
sample: { i: 3 }
workloads: { test: [{ m: 1000, n: 70 }] }
)y";

protocol::Rehearsed rehearsed(Judged& j, bool full, int repeats) {
  return rehearse(j.device, j.evaluator, j.problem, j.instance, full, repeats, 5, 0xff);
}

TEST(Rehearsal, ListsEveryReferenceWithItsWork) {
  Judged j(yaml);
  const auto sample = rehearsed(j, false, 2);
  ASSERT_EQ(sample.count, 2u);
  const auto &square = sample.evaluations[0], &y = sample.evaluations[1];
  EXPECT_EQ(j.problem.references[static_cast<std::size_t>(square.reference)].name, "square");
  EXPECT_EQ(y.elements, 3 + 2) << "drawn, the first and the last";
  EXPECT_EQ(y.all, 1000);
  EXPECT_EQ(y.terms, 140);
  EXPECT_EQ(square.elements, y.elements * 70);
  EXPECT_EQ(square.all, 70000);
  EXPECT_EQ(square.terms, 1);
  EXPECT_EQ(sample.private_bytes, Evaluator::memory(j.problem, j.instance, false));
  const auto full = rehearsed(j, true, 1);
  ASSERT_EQ(full.count, 2u);
  EXPECT_EQ(full.evaluations[0].elements, 70000);
  EXPECT_EQ(full.evaluations[1].elements, 1000);
  EXPECT_GT(full.private_bytes, sample.private_bytes);
}

TEST(Rehearsal, TimesAreOfTheWorkThatIsDone) {
  Judged j(yaml);
  const auto full = rehearsed(j, true, 3);
  double references = 0;
  for (std::size_t k = 0; k < full.count; ++k) {
    EXPECT_GT(full.evaluations[k].microseconds, 0) << k;
    references += full.evaluations[k].microseconds;
  }
  EXPECT_GT(full.fill_microseconds, 0);
  EXPECT_GT(full.verify_microseconds, 0);
  EXPECT_LT(references, 20 * full.verify_microseconds) << "the same work, once with waits in it";
}

TEST(Rehearsal, WithoutRepeatsTimesNoReferenceOnItsOwn) {
  Judged j(yaml);
  EXPECT_EQ(rehearsed(j, false, 0).count, 0u);
}

TEST(Rehearsal, AProblemAtFaultIsSaidAndTheEvaluatorGoesOn) {
  std::string wrong = yaml;
  wrong.replace(wrong.find("square(i, j)"), 12, "square(i, j + 1)");
  Judged j(wrong);
  EXPECT_THROW(rehearsed(j, true, 1), Error);
  Judged right(yaml);
  EXPECT_NO_THROW(rehearsed(right, true, 1));
  EXPECT_NO_THROW(right.evaluator.verify(1, 0xff)) << "nobody watches any more";
}

}  // namespace
}  // namespace podium::judge
