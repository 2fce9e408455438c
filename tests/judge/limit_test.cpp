// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// General checks against their limit, probes, and numbers of a contestant that lead a check astray.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/judge/program_double.hpp"

namespace podium::judge {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t seed = 5;

std::string trial(const std::string& tensors, const std::string& rest, int n) {
  return "podium: 1\ntitle: t\naxes: [n]\ntensors:\n" + tensors + rest +
         "workloads: { test: [{ n: " + std::to_string(n) + " }], quick: [{ n: 2 }], bench: [{ n: 2 }] }\n";
}

const std::string copy =
    "  x: { role: input, dtype: f64, shape: [n], fill: normal }\n"
    "  y: { role: output, dtype: f64, shape: [n] }\n";

TEST(Limit, IsInclusiveAndNanFails) {
  Judged j(trial(copy, "checks: { near: { index: [i], value: \"y(i) - x(i)\", limit: \"1 / 4\" } }\n", 8));
  j.evaluator.fill(seed);
  std::fill_n(j.data<double>("x"), 8, 0.0);
  double* y = j.data<double>("y");
  std::fill_n(y, 8, 0.0);
  const auto verify = [&](double value) {
    y[5] = value;
    return j.evaluator.verify(seed, 0xa5);
  };
  EXPECT_TRUE(verify(0).right);
  EXPECT_TRUE(verify(0.25).right);
  EXPECT_TRUE(verify(-0.25).right);
  EXPECT_EQ(verify(0.125).worst, 0.5);
  EXPECT_EQ(verify(0.125).text,
            "largest result 0.5 of the limit at check near at i = 5: 0.125, expected at most 0.25 in size; 8 "
            "results verified");
  for (const double wrong : {std::nextafter(0.25, 1), -std::nextafter(0.25, 1), 1e300,
                             std::numeric_limits<double>::infinity(), std::nan("")}) {
    EXPECT_FALSE(verify(wrong).right) << wrong;
    EXPECT_THAT(verify(wrong).text, HasSubstr("check near at i = 5: found "));
    EXPECT_GT(verify(wrong).worst, 1);
  }
  EXPECT_EQ(
      verify(-2).text,
      "check near at i = 5: found -2, expected at most 0.25 in size; 1 of 8 verified results are wrong");
}

TEST(Limit, WholeNumbersAreExact) {
  const std::string tensors =
      "  x: { role: input, dtype: u64, shape: [n], fill: zeros }\n"
      "  y: { role: output, dtype: u64, shape: [n] }\n"
      "  s: { role: output, dtype: i64, shape: [n] }\n";
  Judged j(trial(tensors,
                 "checks:\n  a: { index: [i], value: \"y(i)\", limit: 9007199254740992 }\n"
                 "  b: { index: [i], value: \"s(i)\", limit: 0 }\n",
                 2));
  j.evaluator.fill(seed);
  const auto right = [&](std::uint64_t y, std::int64_t s) {
    j.data<std::uint64_t>("y")[0] = j.data<std::uint64_t>("y")[1] = y;
    j.data<std::int64_t>("s")[0] = 0;
    j.data<std::int64_t>("s")[1] = s;
    return j.evaluator.verify(seed, 0xa5).right;
  };
  const std::uint64_t most = 1ULL << 53;
  EXPECT_TRUE(right(most, 0));
  EXPECT_FALSE(right(most + 1, 0));
  EXPECT_FALSE(right(~0ULL, 0));
  EXPECT_FALSE(right(0, 1));
  EXPECT_FALSE(right(0, std::numeric_limits<std::int64_t>::min()));
}

TEST(Limit, ReductionsAndComparisonsAreResultsAsWell) {
  Judged j(
      trial(copy + "  k: { role: output, dtype: i32, shape: [] }\n",
            "checks:\n  total: { index: [], reduce: { over: { i: n }, op: sum, term: \"y(i)\" }, limit: 1 }\n"
            "  rows: { index: { g: 2 }, reduce: { over: { i: 4 }, op: count, term: \"y(4 * g + i) < 0\" }, "
            "limit: 2 }\n"
            "  number: { index: [], value: \"k() != 3\", limit: 0 }\n",
            8));
  j.evaluator.fill(seed);
  const auto text = [&](std::initializer_list<double> y, int k) {
    std::copy(y.begin(), y.end(), j.data<double>("y"));
    *j.data<std::int32_t>("k") = k;
    const Finding found = j.evaluator.verify(seed, 0xa5);
    return (found.right ? "right " : "wrong ") + found.text;
  };
  EXPECT_THAT(text({1, -1, 1, -1, 0, 0, -0.5, 1}, 3),
              HasSubstr("right largest result 1 of the limit at check rows"));
  EXPECT_THAT(text({1, -1, 1, -1, 0, 0, -0.5, 2}, 3),
              HasSubstr("wrong check total: found 1.5, expected at most 1"));
  EXPECT_THAT(text({1, -1, 1, -1, 1, -1, -0.5, -1}, 3), HasSubstr("check rows at g = 1: found 3"));
  EXPECT_THAT(text({1, -1, 1, -1, 0, 0, 0, 0}, 4),
              HasSubstr("wrong check number: found 1, expected at most 0"));
}

TEST(Limit, ObeysTheSampleAndSuspiciousElementsJoinIt) {
  const std::string yaml = trial(
      "  x: { role: input, dtype: f32, shape: [n, n], fill: normal }\n"
      "  y: { role: output, dtype: f32, shape: [n, n] }\n",
      "checks: { near: { index: [i, j], value: \"y(i, j) - x(i, j)\", limit: 0 } }\nsample: { i: 4, j: 5 }\n",
      60);
  Judged j(yaml, false);
  j.evaluator.fill(seed);
  std::copy_n(j.data<float>("x"), 3600, j.data<float>("y"));
  const Finding right = j.evaluator.verify(seed, 0xa5);
  EXPECT_TRUE(right.right);
  EXPECT_EQ(right.text, "check near: 0 in " + std::to_string(6 * 7) + " verified results");
  for (const int at :
       {0, 59, 3540, 3599, 31 * 60 + 17}) {  // corners are always verified; the last is suspicious
    const float kept = j.data<float>("y")[at];
    if (at == 31 * 60 + 17)
      std::memset(j.data<float>("y") + at, 0xa5, 4);
    else
      j.data<float>("y")[at] += 1;
    const Finding found = j.evaluator.verify(seed, 0xa5);
    EXPECT_FALSE(found.right) << at;
    EXPECT_THAT(found.text, HasSubstr("check near at i = " + std::to_string(at / 60) +
                                      ", j = " + std::to_string(at % 60) + ": found "));
    EXPECT_EQ(found.written, at != 31 * 60 + 17);
    j.data<float>("y")[at] = kept;
  }
  int caught =
      0;  // one element, by chance: 1 - (1 - 4/60 5/60)^k; never found would mean that nothing is drawn
  j.data<float>("y")[31 * 60 + 17] += 1;
  for (std::uint64_t s = 0; s < 1000; ++s) caught += !j.evaluator.verify(s, 0xa5).right;
  EXPECT_GT(caught, 0);
  EXPECT_LT(caught, 60);  // expected 5.6
}

TEST(Limit, RangesThatDoNotBeginAtZeroAreSampledAndNamed) {
  const std::string yaml =
      trial(copy,
            "checks: { steps: { index: { i: [1, n] }, value: \"y(i) - y(i - 1) - 1\", limit: 0 } }\n"
            "sample: { i: 3 }\n",
            500);
  for (const bool full : {true, false}) {
    Judged j(yaml, full);
    j.evaluator.fill(seed);
    double* y = j.data<double>("y");
    for (int i = 0; i < 500; ++i) y[i] = i;
    EXPECT_TRUE(j.evaluator.verify(seed, 0xa5).right);
    y[0] = 7;
    EXPECT_THAT(j.evaluator.verify(seed, 0xa5).text, HasSubstr("check steps at i = 1: found -7"));
    y[0] = std::nan("");  // suspicious, but out of the range of i
    EXPECT_THAT(j.evaluator.verify(seed, 0xa5).text, HasSubstr("check steps at i = 1: found nan"));
    y[0] = 0;
    y[250] = std::nan("");
    EXPECT_THAT(j.evaluator.verify(seed, 0xa5).text, HasSubstr("check steps at i = 250: found nan"));
  }
}

TEST(Limit, AnOutputIsTheContestantsAndReferenceTheOther) {
  const std::string yaml = trial(
      "  x: { role: input, dtype: f64, shape: [n], fill: normal }\n"
      "  y: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 1e6 } }\n",
      "reference: { y: { index: [i], value: \"2 * x(i)\" } }\n"
      "checks: { sums: { index: [], reduce: { over: { i: n }, op: sum, term: \"y(i) - y.reference(i)\" }, "
      "limit: "
      "1e-12 } }\n",
      40);
  Judged j(yaml);
  j.evaluator.fill(seed);
  for (int i = 0; i < 40; ++i) j.data<double>("y")[i] = 2 * j.data<double>("x")[i];
  EXPECT_TRUE(j.evaluator.verify(seed, 0xa5).right);
  for (int i = 0; i < 40; ++i)
    j.data<double>("y")[i] += std::abs(j.data<double>("y")[i]) * 1e-11;  // all one way
  const Finding found = j.evaluator.verify(seed, 0xa5);
  EXPECT_FALSE(found.right);
  EXPECT_THAT(found.text, testing::StartsWith("check sums: found "));
  EXPECT_THAT(found.text, testing::Not(HasSubstr("y[")));  // within its own tolerance
}

// a = l l^T by a probe: l (l^T z) - a z.
const std::string factor = trial(
    "  a: { role: input, dtype: f64, shape: [n, n], fill: normal }\n"
    "  b: { role: output, dtype: f64, shape: [n, n] }\n",
    "probe: { z: { shape: [n] } }\n"
    "reference:\n"
    "  az: { index: { i: n }, reduce: { over: { k: n }, op: sum, term: \"a(i, k) * z(k)\" } }\n"
    "  bz: { index: { i: n }, reduce: { over: { k: n }, op: sum, term: \"b(i, k) * z(k)\" } }\n"
    "checks:\n"
    "  inverse: { index: { i: n }, reduce: { over: { k: n }, op: sum, term: \"b(i, k) * az(k) - z(k) * (i == "
    "k)\" }, "
    "limit: \"1e-9 * n\" }\n"
    "  whole: { index: [i], value: \"bz(i) * 0\", limit: 0 }\n"
    "sample: { i: 2 }\n",
    20);

std::vector<double> inverse(const double* a, int n) {  // Gauss-Jordan with pivoting
  std::vector<double> m(a, a + n * n), b(static_cast<std::size_t>(n * n), 0.0);
  for (int i = 0; i < n; ++i) b[static_cast<std::size_t>(i * n + i)] = 1;
  const auto at = [n](std::vector<double>& v, int i, int k) -> double& {
    return v[static_cast<std::size_t>(i * n + k)];
  };
  for (int c = 0; c < n; ++c) {
    int pivot = c;
    for (int i = c; i < n; ++i)
      if (std::abs(at(m, i, c)) > std::abs(at(m, pivot, c))) pivot = i;
    for (int k = 0; k < n; ++k)
      std::swap(at(m, c, k), at(m, pivot, k)), std::swap(at(b, c, k), at(b, pivot, k));
    const double scale = 1 / at(m, c, c);
    for (int k = 0; k < n; ++k) at(m, c, k) *= scale, at(b, c, k) *= scale;
    for (int i = 0; i < n; ++i) {
      const double times = i == c ? 0 : at(m, i, c);
      for (int k = 0; k < n; ++k) at(m, i, k) -= times * at(m, c, k), at(b, i, k) -= times * at(b, c, k);
    }
  }
  return b;
}

TEST(Probe, AnInverseIsCoveredInEveryElement) {
  Judged j(factor);
  j.evaluator.fill(seed);
  const auto b = inverse(j.data<double>("a"), 20);
  std::copy(b.begin(), b.end(), j.data<double>("b"));
  EXPECT_TRUE(j.evaluator.verify(seed, 0xa5).right) << j.evaluator.verify(seed, 0xa5).text;
  for (int at = 0; at < 400; at += 7) {
    j.data<double>("b")[at] += 1e-4;
    const Finding found = j.evaluator.verify(seed, 0xa5);
    EXPECT_FALSE(found.right) << at;
    EXPECT_THAT(found.text, HasSubstr("check inverse at i = " + std::to_string(at / 20)));
    j.data<double>("b")[at] = b[static_cast<std::size_t>(at)];
  }
}

TEST(Probe, ChangesWithTheSeedIsBalancedAndTheSameForEveryReader) {
  const std::string yaml = trial(
      "  x: { role: input, dtype: i32, shape: [n], fill: zeros }\n"
      "  y: { role: output, dtype: i32, shape: [n] }\n",
      "probe: { z: { shape: [n] }, w: { shape: [n, 3] } }\n"
      "checks:\n"
      "  guess: { index: [i], value: \"y(i) - z(i)\", limit: 0 }\n"
      "  unit: { index: { i: n }, value: \"z(i) * z(i) + w(i, 0) * w(i, 0) - 2 + 0 * y(i)\", limit: 0 }\n"
      "  bias: { index: [], reduce: { over: { k: n }, op: sum, term: \"z(k) + 0 * y(k)\" }, limit: \"5 * "
      "sqrt(n)\" }\n"
      "  apart: { index: { c: 2 }, reduce: { over: { k: n }, op: sum, term: \"w(k, c) * w(k, c + 1) + 0 * "
      "y(k)\" }, "
      "limit: \"5 * sqrt(n)\" }\n",
      4000);
  Judged j(yaml);
  j.evaluator.fill(seed);
  std::fill_n(j.data<std::int32_t>("y"), 4000, 1);
  const Finding found = j.evaluator.verify(seed, 0xa5);
  EXPECT_THAT(found.text, HasSubstr("check guess at i = "));
  EXPECT_THAT(found.text, testing::Not(HasSubstr("check unit")));
  EXPECT_THAT(found.text, testing::Not(HasSubstr("check bias")));
  EXPECT_THAT(found.text, testing::Not(HasSubstr("check apart")));
  EXPECT_NE(j.evaluator.verify(seed, 0xa5).text, j.evaluator.verify(seed + 1, 0xa5).text);
  EXPECT_EQ(j.evaluator.verify(seed, 0xa5).text, found.text);
}

TEST(Astray, AnIndexThatTheContestantWroteIsItsFault) {
  const std::string yaml = trial(
      "  x: { role: input, dtype: f32, shape: [n], fill: normal }\n"
      "  y: { role: output, dtype: f32, shape: [n] }\n"
      "  p: { role: output, dtype: i32, shape: [n] }\n",
      "checks: { taken: { index: [i], value: \"y(i) - x(p(i))\", limit: 0 }, each: { distinct: p } }\n", 9);
  Judged j(yaml);
  j.evaluator.fill(seed);
  for (int i = 0; i < 9; ++i) {
    j.data<std::int32_t>("p")[i] = 8 - i;
    j.data<float>("y")[i] = j.data<float>("x")[8 - i];
  }
  EXPECT_TRUE(j.evaluator.verify(seed, 0xa5).right);
  for (const int wrong : {-1, 9, std::numeric_limits<int>::min()}) {
    j.data<std::int32_t>("p")[4] = wrong;
    const Finding found = j.evaluator.verify(seed, 0xa5);
    EXPECT_FALSE(found.right);
    EXPECT_TRUE(found.written);
    EXPECT_THAT(found.text,
                testing::StartsWith("checks.taken reads x[" + std::to_string(wrong) +
                                    "] by a number that the contestant wrote, expected indices within "
                                    "its shape [9]"));
  }
  j.poison(0xa5);
  EXPECT_FALSE(j.evaluator.verify(seed, 0xa5).written);
}

TEST(Astray, AnIndexThatTheProblemWroteIsTheProblems) {
  for (const std::string term : {"y(i + 1) - x(i)", "y(i) - x(i - 1)"}) {
    Judged j(trial(copy, "checks: { off: { index: { i: n }, value: \"" + term + "\", limit: 0 } }\n", 9));
    j.evaluator.fill(seed);
    try {
      j.evaluator.verify(seed, 0xa5);
      ADD_FAILURE() << term;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("problem.yaml:7: found checks.off to read "));
    }
  }
}

TEST(Astray, HidesNoFaultOfTheProblem) {
  const std::string yaml = trial(
      "  x: { role: input, dtype: f32, shape: [n], fill: normal }\n"
      "  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }\n"
      "  p: { role: output, dtype: i32, shape: [n] }\n",
      "reference: { y: { index: [i], value: \"x(i + 1)\" } }\n"
      "checks: { taken: { index: [i], value: \"x(p(i))\", limit: 0 } }\n",
      9);
  Judged j(yaml);
  j.evaluator.fill(seed);
  std::fill_n(j.data<std::int32_t>("p"), 9, -1);
  try {
    j.evaluator.verify(seed, 0xa5);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("problem.yaml:8: found reference y to read x[9] in workload n=9"));
  }
}

}  // namespace
}  // namespace podium::judge
