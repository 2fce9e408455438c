// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Checks, probes, inout tensors and excuses as a file states them, and the sentence for each mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/problem/checks/checks.hpp"
#include "suite/problem/formula/access.hpp"
#include "suite/problem/generate/blame.hpp"
#include "suite/problem/generate/plan.hpp"
#include "suite/problem/parse/parse.hpp"
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
  place: { index: [i], value: "p(i) - a(i, 0)", limit: 8 }
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
  ASSERT_EQ(problem.checks.size(), 6u);
  std::vector<std::string> kinds;
  for (const Check& check : problem.checks) kinds.push_back(check.builtin ? check.builtin->name : "limit");
  EXPECT_THAT(kinds, ElementsAre("limit", "limit", "triangular", "distinct", "permutation", "limit"));
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
  for (const Watch& watch : plan.watches())
    watched.emplace_back(problem.tensors[watch.tensor].name, watch.axis);
  using Pair = std::pair<std::string, std::size_t>;
  EXPECT_THAT(watched, testing::UnorderedElementsAre(Pair{"q", 0}, Pair{"q", 1}, Pair{"x", 0}, Pair{"p", 0}));
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
    program::Fault fault{};
    fault.kind = program::fault_range;
    fault.site = static_cast<int>(reference_named(problem, "checks.near"));
    fault.target = number;
    return is_contestants(problem, fault);
  };
  EXPECT_TRUE(blames("q(i, k) - a(p(i), k)", "a"));
  EXPECT_FALSE(blames("q(i + 1, k) - a(p(i), k)", "q"));
  EXPECT_TRUE(blames("q(i, k) - az(p(i) - 1)", "az"));
  EXPECT_FALSE(blames("q(i, k) - az(2 * n)", "az"));
  EXPECT_TRUE(blames("q(i, k) - az(i64(x(i)))", "az"));
  EXPECT_FALSE(blames("q(i, k) - az(i64(x.initial(i)))", "az"));
  EXPECT_TRUE(blames("q(i, k) - a(i, k) + [&] { auto l = p(i); return az(l); }()", "az"));
  EXPECT_TRUE(blames("q(i, k) - a(i, i64(rz(k)))", "a"));
  EXPECT_FALSE(blames("q(i, k) - az(static_cast<int>(2 * n))", "az"));
}

TEST(Blame, ADivisorIsTheContestantsWhereItReadsWhatItWrote) {
  const auto blames = [](const std::string& term) {
    std::string text = base;
    text.replace(text.find("q(i, k) - a(i, k)"), 17, term);
    const Problem problem = parse("thing", text, "p.yaml");
    program::Fault fault{};
    fault.kind = program::fault_division;
    fault.site = static_cast<int>(reference_named(problem, "checks.near"));
    return is_contestants(problem, fault);
  };
  EXPECT_TRUE(blames("q(i, k) + k / p(i)"));
  EXPECT_TRUE(blames("q(i, k) + k % (1 - p(i))"));
  EXPECT_TRUE(blames("q(i, k) + k / -p(i)"));
  EXPECT_TRUE(blames("q(i, k) + ceil_div(k, p(i))"));
  EXPECT_TRUE(blames("q(i, k) + k / static_cast<int>(x(i))"));
  EXPECT_TRUE(blames("q(i, k) + [&] { auto l = k; l /= p(i); return l; }()"));
  EXPECT_FALSE(blames("p(i) / (n - 4) + q(i, k)"));
  EXPECT_FALSE(blames("q(i, k) + p(i) % k"));
  EXPECT_FALSE(blames("p(i) / m * q(i, k)"));
  EXPECT_FALSE(blames("q(i, k) + k / i64(x.initial(i)) * p(i)"));
}

TEST(Mistake, BuiltInChecks) {
  EXPECT_EQ(
      spoilt("part: upper", "part: uper"),
      "p.yaml:19: checks.upper.part: found \"uper\", expected one of upper, lower (nearest: \"upper\")");
  EXPECT_EQ(
      spoilt("part: upper, ", ""),
      "p.yaml:19: checks.upper.part: found nothing, expected upper or lower: the triangle that is not zero");
  EXPECT_EQ(spoilt("unit: true", "unit: 1"),
            "p.yaml:19: checks.upper.unit: found \"1\", expected true or false");
  EXPECT_EQ(
      spoilt("triangular: r", "triangular: p"),
      "p.yaml:19: checks.upper.triangular: found p of shape [n], expected at least two axes for rows and "
      "columns");
  EXPECT_EQ(spoilt("distinct: p", "distinct: a"),
            "p.yaml:20: checks.each.distinct: not an output: found \"a\", expected one of q, r, p, x");
  EXPECT_EQ(spoilt("{ distinct: p }", "{ distinct: p, unit: true }"),
            "p.yaml:20: checks.each: found unit beside distinct, expected it beside triangular");
  EXPECT_EQ(
      spoilt("{ distinct: p }", "{ finite: p }"),
      "p.yaml:20: checks.each.finite: found p of dtype i32, whose numbers are all finite, expected a dtype "
      "with infinities or NaN; the check could never fail");
  EXPECT_EQ(
      spoilt("{ distinct: p }", "{ distinct: p, stable: [q, r] }"),
      "p.yaml:20: checks.each: found both stable and distinct, expected one; give each a name of its own");
  EXPECT_EQ(
      spoilt("distinct: p }", "distinct: p }\n  s: { stable: [q, r] }"),
      "p.yaml:21: checks.s: in the test workload n=4,m=3 (line 25) found q of shape [4, 3] and r of shape "
      "[3, 3], expected one shape");
  EXPECT_EQ(spoilt("distinct: p }", "distinct: p }\n  s: {}"),
            "p.yaml:21: checks.s: found no check, expected sorted, permutation, stable, finite, triangular, "
            "distinct, or an index with a value or reduction and a limit");
  EXPECT_EQ(
      spoilt("[[x], [x.initial]]", "[[x, p], [x.initial]]"),
      "p.yaml:21: checks.both.permutation: found 2 and 1 tensors, expected as many outputs as inputs, as in "
      "[[keys, values], [k, v]]");
  EXPECT_EQ(spoilt("[[x], [x.initial]]", "[x, x]"),
            "p.yaml:21: checks.both.permutation[1]: not an input: found \"x\", expected one of a, x.initial");
  EXPECT_EQ(
      spoilt("[[x], [x.initial]]", "[[p, x], [x.initial, a]]"),
      "p.yaml:21: checks.both.permutation: found p of dtype i32 and x of dtype f32, expected one dtype");
  EXPECT_EQ(
      spoilt("[[x], [x.initial]]", "[[x, q], [x.initial, a]]"),
      "p.yaml:21: checks.both: in the test workload n=4,m=3 (line 24) found 4 elements of x and 12 of q, "
      "expected equally many");
}

TEST(Mistake, ACheckOfPairsThatAreAlwaysFinite) {
  std::string text = base;
  const std::string r = "r: { role: output, dtype: f32, shape: [m, m] }";
  text.replace(text.find(r), r.size(), "r: { role: output, dtype: e2m1, shape: [m, 2 * m] }");
  const std::string upper = "{ triangular: r, part: upper, unit: true }";
  text.replace(text.find(upper), upper.size(), "{ finite: r }");
  EXPECT_EQ(mistakes_of(text),
            "p.yaml:19: checks.upper.finite: found r of dtype e2m1, whose numbers are all finite, expected a "
            "dtype with infinities or NaN; the check could never fail");
}

TEST(Mistake, GeneralChecks) {
  EXPECT_EQ(
      spoilt(", limit: 9 }", " }"),
      "p.yaml:18: checks.near.limit: found nothing, expected a number that the result must not exceed in "
      "size, as in 0");
  EXPECT_EQ(spoilt("limit: 9", "limit: -1"),
            "p.yaml:18: checks.near.limit: in the test workload n=4,m=3 (line 24) found -1, expected a "
            "finite number "
            "that is not negative");
  EXPECT_EQ(spoilt("limit: 9", "limit: q"),
            "p.yaml:18: checks.near.limit: found \"q\", expected one of m, n");
  EXPECT_EQ(spoilt("near: { index: [i, k],", "near: {"),
            "p.yaml:18: checks.near.index: found nothing, expected a map from indices to ranges, as in { i: "
            "rows }, "
            "or their names\n"
            "p.yaml:23: sample.k: not an index of an output or check: found \"k\", expected i");
  EXPECT_EQ(
      spoilt("index: [i, k]", "index: [i, k, l]"),
      "p.yaml:18: checks.near.index[2]: found the index l without a range, and no tensor read with it alone, "
      "expected a map as in { l: n }");
  EXPECT_EQ(spoilt("q(i, k) - a(i, k)", "q(i, i) - a(i, k)"),
            "p.yaml:18: checks.near.index[0]: found the index i over n by q and over m by q, expected one "
            "range, or "
            "a map as in { i: n }");
  EXPECT_EQ(
      spoilt("value: \"q(i, k) - a(i, k)\"", "vaule: \"1\""),
      "p.yaml:18: checks.near: unknown key: found \"vaule\", expected one of sorted, permutation, stable, "
      "finite, triangular, distinct, descending, part, unit, index, value, reduce, limit (nearest: "
      "\"value\")\n"
      "p.yaml:18: checks.near.index[0]: found the index i without a range, and no tensor read with it alone, "
      "expected a map as in { i: n }\n"
      "p.yaml:18: checks.near.index[1]: found the index k without a range, and no tensor read with it alone, "
      "expected a map as in { k: n }");
  EXPECT_EQ(spoilt("value: \"q(i, k) - a(i, k)\", ", ""),
            "p.yaml:18: checks.near: found neither value nor reduce, expected one of them");
  EXPECT_EQ(spoilt("limit: 9 }", "limit: 9, finite: q }"),
            "p.yaml:18: checks.near: found index beside a built-in check, expected one of them; give each a "
            "name of "
            "its own");
  EXPECT_EQ(spoilt("q(i, k) - a(i, k)", "a(i, k)"),
            "p.yaml:18: checks.near.value: found a check that reads no output, expected it to read one; "
            "otherwise it could never fail");
  EXPECT_EQ(spoilt("q(i, k) - a(i, k)", "q(i, k) - a.initial(i, k)"),
            "p.yaml:18: checks.near.value: found a.initial, expected a(…); only tensors with role: inout "
            "have values "
            "before the call");
  EXPECT_EQ(
      spoilt("q(i, k) - a(i, k)", "q.reference(i, k) - q(i, k)"),
      "p.yaml:18: checks.near.value: found q.reference, expected q(…); it is an output without a reference");
  EXPECT_EQ(spoilt("q(i, k) - a(i, k)", "q(i, k) - a.reference(i, k)"),
            "p.yaml:18: checks.near.value: found a.reference, expected a(…); only outputs have references");
  EXPECT_EQ(
      spoilt("q(i, k) - a(i, k)", "q(i, k) - x.final(i)"),
      "p.yaml:18: checks.near.value: found x.final, expected x(…), x.initial(…) of an inout tensor or, in "
      "checks, x.reference(…)");
  EXPECT_EQ(spoilt("q(i, k) - a(i, k)", "q(i, k) - x.reference(i, k)"),
            "p.yaml:18: checks.near.value: found x with 2 indices, expected 1");
}

TEST(Mistake, RangesThatAContestantBounds) {
  const std::string range = "over: { k: m }, op: sum, term: \"q(i, k) * rz(k)\"";
  const auto bounded = [&](const std::string& by) {
    return spoilt(
        range, "over: { k: { low: 0, high: \"" + by + "\", most: 3 } }, op: sum, term: \"q(i, k) * rz(k)\"");
  };
  const auto sentence = [](const std::string& name) {
    return "p.yaml:17: checks.product.reduce.over.k.high: found a range that " + name +
           ", which a contestant writes, bounds, expected inputs, structure and references of those; a loop "
           "must not run as long as a contestant likes";
  };
  EXPECT_EQ(bounded("p(i)"), sentence("p"));
  EXPECT_EQ(bounded("i + i64(rz(i))"), sentence("rz"));  // through a reference
  EXPECT_EQ(bounded("i64(x(i))"), sentence("x"));
  EXPECT_EQ(bounded("i64(x.initial(i))"), "accepted");
  EXPECT_EQ(bounded("i64(x.reference(i))"), "accepted");
  EXPECT_EQ(bounded("i64(a(i, 0))"), "accepted");
}

TEST(Mistake, AnOutputThatOnlyTestWorkloadsCanVerify) {
  const auto file = [](const std::string& check) {
    return mistakes_of(
        "podium: 1\ntitle: t\naxes: [n]\ntensors:\n"
        "  x: { role: input, dtype: f32, shape: [n], fill: normal }\n"
        "  y: { role: output, dtype: f32, shape: [n] }\n"
        "reference: { h: { index: { i: n }, host: \"for (i64 i = 0; i < n; ++i) out(i) = x(i);\" } }\n"
        "checks: { near: { index: [i], value: \"" +
        check + "\", limit: 0 } }\nworkloads: { test: [{ n: 2 }], quick: [{ n: 4 }], bench: [{ n: 4 }] }\n");
  };
  EXPECT_EQ(file("y(i) - x(i)"), "accepted");
  EXPECT_EQ(
      file("y(i) - h(i)"),
      "p.yaml:6: tensors.y: found an output whose only check is one that needs the form host, which only "
      "test workloads evaluate, expected a check of y for the others as well");
}

TEST(Mistake, ProbesInoutsAndExcuses) {
  EXPECT_EQ(spoilt("z: { shape: [m] }", "z: { shape: [] }"),
            "p.yaml:10: probe.z.shape: found rank 0, expected 1 to 6");
  EXPECT_EQ(spoilt("z: { shape: [m] }", "z: [m]"),
            "p.yaml:10: probe.z: found a list, expected a map, as in { shape: [n] }");
  EXPECT_EQ(
      spoilt("z: { shape: [m] }", "z: { shape: [m / 2] }"),
      "p.yaml:10: probe.z.shape: in the test workload n=4,m=3 (line 24) found m / 2 = 1.5, expected a whole "
      "number below 2^53");
  EXPECT_EQ(spoilt("z: { shape: [m] }", "z: { shape: [m] }, q: { shape: [n] }"),
            "p.yaml:10: probe.q: found \"q\", which line 6 uses for a tensor, expected a name of its own; "
            "rename one "
            "of them");
  EXPECT_EQ(
      spoilt("\"2 * x.initial(i)\"", "\"x.initial(i) + az(i)\""),
      "p.yaml:15: reference.x.value: found a reference that depends on a probe, expected inputs and other "
      "references; that belongs into checks");
  EXPECT_EQ(
      spoilt("\"2 * x.initial(i)\"", "\"q(i, 0)\""),
      "p.yaml:15: reference.x.value: found a reference that depends on q, an output without a reference, "
      "expected inputs and other references; that belongs into checks");
  EXPECT_EQ(
      spoilt("\"2 * x.initial(i)\"", "\"2 * x.reference(i)\""),
      "p.yaml:15: reference.x.value: found x.reference, expected x(…); in references an output's name means "
      "its reference");
  EXPECT_EQ(
      spoilt("unless: tie", "unless: ties"),
      "p.yaml:15: reference.x.unless: unknown reference: found \"ties\", expected one of rz, az, tie, x "
      "(nearest: \"tie\")");
  EXPECT_EQ(spoilt("x.initial(i) == 0", "p(i)"),
            "p.yaml:15: reference.x.unless: found the reference tie, which depends on p, an output without a "
            "reference, expected one that does not");
  EXPECT_EQ(
      spoilt("tie: { index: { i: n }, value: \"x.initial(i) == 0\" }",
             "tie: { index: { j: n }, value: \"x.initial(j) == 0\" }"),
      "p.yaml:15: reference.x.unless: found the reference tie with the index j, expected only indices of x");
  EXPECT_EQ(spoilt("value: \"x.initial(i) == 0\" }", "value: \"x.initial(i) == 0\", unless: rz }"),
            "p.yaml:14: reference.tie.unless: found unless beside the reference of no output, expected it "
            "beside an "
            "output's");
  EXPECT_EQ(spoilt("tolerance: { ulp: 1 } }", "tolerance: { ulp: 1, scale: az } }"),
            "p.yaml:9: tensors.x.tolerance.scale: found the reference az, which depends on a probe, expected "
            "one that "
            "does not");
  EXPECT_EQ(
      spoilt("fill: normal, tolerance", "tolerance"),
      "p.yaml:9: tensors.x.fill: found nothing, expected how the input is filled, as in { normal: { mean: 0, "
      "stddev: 1 } }");
}

}  // namespace
}  // namespace podium::problem
