// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Checks, probes, inout tensors and excuses as a file states them, and the sentence for each mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/problem/access.hpp"
#include "suite/problem/generate_plan.hpp"
#include "tests/problem/sample.hpp"

namespace podium::problem {
namespace {

using testing::ElementsAre;

const std::string base = R"y(podium: 1
title: t
axes: [n, m]
tensors:
  a: { role: input, dtype: f32, shape: [n, m], fill: normal }
  q: { role: output, dtype: f32, shape: [n, m] }
  r: { role: output, dtype: f32, shape: [m, m] }
  p: { role: output, dtype: i32, shape: [n] }
  x: { role: inout, dtype: f32, shape: [n], fill: normal, tolerance: { ulp: 1 } }
probe: { z: { shape: [m] } }
reference:
  rz: { index: { i: m }, reduce: { over: { k: m }, op: sum, term: "r(i, k) * z(k)" } }
  az: { index: { i: n }, reduce: { over: { k: m }, op: sum, term: "a(i, k) * z(k)" } }
  tie: { index: { i: n }, value: "x.initial(i) == 0" }
  x: { index: [i], value: "2 * x.initial(i)", unless: tie }
checks:
  product: { index: { i: n }, reduce: { over: { k: m }, op: sum, term: "q(i, k) * rz(k)" }, limit: "sqrt(m) * eps(f32)" }
  near: { index: [i, k], value: "q(i, k) - a(i, k)", limit: 9 }
  upper: { triangular: r, part: upper, unit: true }
  each: { distinct: p }
  both: { permutation: [[x], [x.initial]] }
sample: { i: 5, k: 7 }
workloads: { test: [{ n: 4, m: 3 }], quick: [{ n: 4, m: 3, fill: { x: ones } }], bench: [{ n: 4, m: 3 }] }
)y";

std::string spoilt(const std::string& from, const std::string& to) {
  std::string text = base;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << "twice: " << from;
  return mistakes_of(text.replace(at, from.size(), to));
}

TEST(Checks, AreReadInOrder) {
  const Problem problem = parse("thing", base, "p.yaml");
  ASSERT_EQ(problem.checks.size(), 5u);
  using Kind = Check::Kind;
  std::vector<Kind> kinds;
  for (const Check& check : problem.checks) kinds.push_back(check.kind);
  EXPECT_THAT(kinds, ElementsAre(Kind::limit, Kind::limit, Kind::triangular, Kind::distinct, Kind::permutation));
  const Reference& product = problem.references[problem.checks[0].reference];
  EXPECT_EQ(product.name, "checks.product");
  EXPECT_TRUE(product.check);
  EXPECT_FALSE(product.output);
  const Reference& near = problem.references[problem.checks[1].reference];
  ASSERT_EQ(near.index.size(), 2u);  // ranges from the tensors that it reads
  EXPECT_EQ(near.index[0].high.text, "n");
  EXPECT_EQ(near.index[1].high.text, "m");
  EXPECT_TRUE(problem.checks[2].upper);
  EXPECT_TRUE(problem.checks[2].unit);
  EXPECT_TRUE(problem.references[reference_named(problem, "z")].probe);
  EXPECT_EQ(problem.references[reference_named(problem, "x")].unless, "tie");
  EXPECT_EQ(problem.tensor("x")->role, Role::inout);
}

TEST(Checks, AreSampledAndEvaluatedLikeReferences) {
  const Problem problem = parse("thing", base, "p.yaml");
  const Plan plan(problem);
  std::vector<std::string> sets;
  for (const SampleSet& set : plan.sets()) sets.push_back(set.index + " < " + set.high.text);
  EXPECT_THAT(sets, testing::UnorderedElementsAre("i < n", "k < m"));
  const auto domains = [&](const std::string& name) {
    std::vector<std::vector<int>> all;
    for (const std::size_t e : plan.evaluations_of(reference_named(problem, name)))
      all.push_back(plan.evaluations()[e].sets);
    return all;
  };
  EXPECT_THAT(domains("rz"), ElementsAre(ElementsAre(whole_range)));
  EXPECT_EQ(domains("az").size(), 0u);  // nobody asks for it
  EXPECT_EQ(domains("checks.near").size(), 1u);
  EXPECT_THAT(domains("checks.near")[0], testing::Each(testing::Ne(whole_range)));
  std::vector<std::pair<std::string, std::size_t>> watched;
  for (const Watch& watch : plan.watches()) watched.emplace_back(problem.tensors[watch.tensor].name, watch.axis);
  using Pair = std::pair<std::string, std::size_t>;
  EXPECT_THAT(watched, testing::UnorderedElementsAre(Pair{"q", 0}, Pair{"q", 1}, Pair{"x", 0}));
}

TEST(Access, FindsMembersArgumentsAndWhatIsBetween) {
  const auto all = accesses("y.reference(i, k + 1) - f() * x(p(i), j)");
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].name, "y");
  EXPECT_EQ(all[0].member, "reference");
  EXPECT_THAT(all[0].arguments, ElementsAre("i", ""));
  EXPECT_EQ(all[1].name, "f");
  EXPECT_TRUE(all[1].arguments.empty());
  EXPECT_THAT(all[2].arguments, ElementsAre("", "j"));
  EXPECT_GT(all[3].first, all[2].first);
  EXPECT_LE(all[3].last, all[2].last);
  EXPECT_EQ(accesses("x(").size(), 1u);
  EXPECT_EQ(accesses("a.b.c(1) + )(").size(), 1u);
}

TEST(Access, AnIndexIsTheContestantsWhereItReadsWhatItWrote) {
  const auto blames = [](const std::string& term, const std::string& target) {
    std::string text = base;
    text.replace(text.find("q(i, k) - a(i, k)"), 17, term);
    const Problem problem = parse("thing", text, "p.yaml");
    const Tensor* tensor = problem.tensor(target);
    const int number = tensor ? static_cast<int>(tensor - problem.tensors.data())
                              : -1 - static_cast<int>(reference_named(problem, target));
    return index_is_contestants(problem, reference_named(problem, "checks.near"), number);
  };
  EXPECT_TRUE(blames("q(i, k) - a(p(i), k)", "a"));
  EXPECT_FALSE(blames("q(i + 1, k) - a(p(i), k)", "q"));
  EXPECT_TRUE(blames("q(i, k) - az(p(i) - 1)", "az"));
  EXPECT_FALSE(blames("q(i, k) - az(2 * n)", "az"));
  EXPECT_TRUE(blames("q(i, k) - az(i64(x(i)))", "az"));
  EXPECT_FALSE(blames("q(i, k) - az(i64(x.initial(i)))", "az"));
  EXPECT_TRUE(blames("q(i, k) - a(i, k) + [&] { auto l = p(i); return az(l); }()", "az"));
  EXPECT_TRUE(blames("q(i, k) - a(i, i64(rz(k)))", "a"));
}

TEST(Mistake, BuiltInChecks) {
  EXPECT_EQ(spoilt("part: upper", "part: uper"),
            "p.yaml:19: checks.upper.part: found \"uper\", expected one of upper, lower (nearest: \"upper\")");
  EXPECT_EQ(spoilt("part: upper, ", ""),
            "p.yaml:19: checks.upper.part: found nothing, expected upper or lower: the triangle that is not zero");
  EXPECT_EQ(spoilt("unit: true", "unit: 1"), "p.yaml:19: checks.upper.unit: found \"1\", expected true or false");
  EXPECT_EQ(spoilt("triangular: r", "triangular: p"),
            "p.yaml:19: checks.upper.triangular: found p of shape [n], expected at least two axes for rows and "
            "columns");
  EXPECT_EQ(spoilt("distinct: p", "distinct: a"),
            "p.yaml:20: checks.each.distinct: not an output: found \"a\", expected one of q, r, p, x");
  EXPECT_EQ(spoilt("{ distinct: p }", "{ distinct: p, unit: true }"),
            "p.yaml:20: checks.each: found unit beside distinct, expected it beside triangular");
  EXPECT_EQ(spoilt("{ distinct: p }", "{ finite: p }"),
            "p.yaml:8: tensors.p: found an output of which only finite, triangular or stable is checked, expected a "
            "reference or a check of what its elements are; what is not verified cannot be ranked\n"
            "p.yaml:20: checks.each.finite: found p of dtype i32, expected floating numbers; integers are always "
            "finite");
}

}  // namespace
}  // namespace podium::problem
