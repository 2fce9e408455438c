// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Problems whose outputs are not unique: each is a YAML file in a scratch folder, verified through `podium
// verify` with a right contestant and wrong ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;

std::string contestant(const std::string& problem, const std::string& body) {
  return "// podium:\n//   title: t\n#include <cmath>\n#include <limits>\n#include <podium/" + problem +
         R"CODE(.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& a, podium::Stream) {
)CODE" + body +
         "\n  }\n};\n}  // namespace\n";
}

// `podium verify` over one problem and its contestants by name: each one's line, and the exit status.
struct Verdicts {
  int status = -1;
  std::map<std::string, std::string> line;
  std::string all;
};
Verdicts verify(const std::string& problem, const std::string& yaml,
                const std::map<std::string, std::string>& bodies) {
  const Scratch scratch;
  scratch.write("problems/" + problem + "/problem.yaml", yaml);
  for (const auto& [name, body] : bodies)
    scratch.write("problems/" + problem + "/" + name + ".cpp", contestant(problem, body));
  const auto ended =
      podium({"verify", "--device", "host", "--quiet", "--problems", (scratch.path() / "problems").string()});
  Verdicts verdicts{ended.status, {}, ended.out + ended.err};
  std::istringstream lines(ended.out);
  for (std::string text; std::getline(lines, text);)
    for (const auto& [name, body] : bodies)
      if (text.find("  " + name + " ") != std::string::npos) verdicts.line[name] = text;
  return verdicts;
}

constexpr char qr[] = R"YAML(podium: 1
title: QR factorisation
description: a = q r with orthonormal columns of q and upper triangular r
axes: [n]
tensors:
  a: { role: input, dtype: f64, shape: [n, n], fill: normal }
  q: { role: output, dtype: f64, shape: [n, n] }
  r: { role: output, dtype: f64, shape: [n, n] }
probe: { z: { shape: [n] } }
reference:
  az: { index: { i: n }, reduce: { over: { k: n }, op: sum, term: "a(i, k) * z(k)" } }
  rz: { index: { i: n }, reduce: { over: { k: n }, op: sum, term: "r(i, k) * z(k)" } }
  qz: { index: { i: n }, reduce: { over: { k: n }, op: sum, term: "q(i, k) * z(k)" } }
checks:
  product: { index: { i: n }, reduce: { over: { k: n }, op: sum, term: "q(i, k) * rz(k) - az(i) / n" }, limit: 1e-10 }
  orthonormal: { index: { i: n }, reduce: { over: { k: n }, op: sum, term: "q(k, i) * qz(k) - z(i) / n" }, limit: 1e-10 }
  upper: { triangular: r, part: upper }
  sane: { finite: q }
workloads: { test: [ { n: 1 }, { n: 24 } ], quick: [ { n: 64 } ] }
baseline: { host: right }
)YAML";

// Modified Gram-Schmidt, twice: "twice is enough".
const std::string gram_schmidt = R"CODE(
    const std::int64_t n = a.n;
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t i = 0; i < n; ++i) a.q(i, j) = a.a(i, j), a.r(i, j) = 0;
      for (int pass = 0; pass < 2; ++pass)
        for (std::int64_t k = 0; k < j; ++k) {
          double dot = 0;
          for (std::int64_t i = 0; i < n; ++i) dot += a.q(i, k) * a.q(i, j);
          for (std::int64_t i = 0; i < n; ++i) a.q(i, j) -= dot * a.q(i, k);
          a.r(k, j) += dot;
        }
      double norm = 0;
      for (std::int64_t i = 0; i < n; ++i) norm += a.q(i, j) * a.q(i, j);
      norm = std::sqrt(norm);
      a.r(j, j) = norm;
      for (std::int64_t i = 0; i < n; ++i) a.q(i, j) /= norm;
    })CODE";

TEST(NotUnique, AFactorisationIsCoveredByProbes) {
  const auto found = verify("factor", qr,
                            {{"right", gram_schmidt},
                             {"other_sign", gram_schmidt + R"CODE(
    for (std::int64_t i = 0; i < n; ++i) a.q(i, 0) = -a.q(i, 0), a.r(0, i) = -a.r(0, i);)CODE"},
                             {"one_off", gram_schmidt + " a.q(n - 1, 0) += 1e-6;"},
                             {"below_diagonal", gram_schmidt + " if (n > 1) a.r(n - 1, 0) = 0x1p-40;"},
                             {"not_a_number", gram_schmidt + " a.r(0, n - 1) = std::nan(\"\");"},
                             {"nothing", ""}});
  EXPECT_EQ(found.status, 1) << found.all;
  const auto line = [&](const std::string& name) {
    return found.line.count(name) ? found.line.at(name) : found.all;
  };
  EXPECT_THAT(line("right"), HasSubstr("right on 2 workloads; n=24: largest result"));
  EXPECT_THAT(line("other_sign"), HasSubstr("right on 2 workloads"));
  EXPECT_THAT(line("one_off"), HasSubstr("wrong"));
  EXPECT_THAT(line("one_off"), HasSubstr("check product at i = "));
  EXPECT_THAT(line("below_diagonal"),
              HasSubstr("r[23, 0] is 9.0949470177292824e-13, expected 0: r is upper triangular"));
  EXPECT_THAT(line("not_a_number"), HasSubstr("found nan, expected at most 1e-10 in size"));
  EXPECT_THAT(line("nothing"), HasSubstr("not written"));
}

constexpr char scale[] = R"YAML(podium: 1
title: Scale in place
axes: [n]
parameters: { factor: f32 }
tensors:
  x: { role: inout, dtype: f32, shape: [n], fill: normal, tolerance: { ulp: 1 } }
reference: { x: { index: [i], value: "factor * x.initial(i)" } }
sample: { i: 64 }
workloads:
  test: [ { n: 1, factor: 3 }, { n: 1000, factor: -0.5 } ]
  quick: [ { n: 100000, factor: 3 } ]
baseline: { host: right }
)YAML";

TEST(NotUnique, InPlaceIsOneTensorReadAndWritten) {
  const std::string loop = "for (std::int64_t i = 0; i < a.n; ++i) a.x(i) *= a.factor;";
  const auto found = verify("scale", scale,
                            {{"right", loop},
                             {"one_off", loop + " a.x(a.n - 1) += 1;"},
                             {"twice", loop + loop},
                             {"not_a_number", loop + " a.x(a.n / 2) = std::nanf(\"\");"},
                             {"nothing", ""}});
  EXPECT_EQ(found.status, 1) << found.all;
  const auto line = [&](const std::string& name) {
    return found.line.count(name) ? found.line.at(name) : found.all;
  };
  EXPECT_THAT(line("right"), HasSubstr("right on 2 workloads"));
  EXPECT_THAT(line("one_off"), HasSubstr("wrong"));
  EXPECT_THAT(line("one_off"), HasSubstr("x[0] is "));
  EXPECT_THAT(line("twice"), HasSubstr("1 of 1 verified element wrong"));
  EXPECT_THAT(line("not_a_number"), HasSubstr("x[0] is nan"));
  EXPECT_THAT(line("nothing"), HasSubstr("not written"));
  EXPECT_THAT(line("nothing"), HasSubstr("the call changed nothing in x"));
}

constexpr char draw[] = R"YAML(podium: 1
title: Samples without repetition
axes: [rows, k, n]
conditions: ["k <= n"]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: normal }
  index: { role: output, dtype: i32, shape: [rows, k] }
  drawn: { role: output, dtype: f32, shape: [rows, k] }
checks:
  each: { distinct: index }
  taken: { index: [i, j], value: "drawn(i, j) - x(index(i, j))", limit: 0 }
sample: { i: 8 }
workloads: { test: [ { rows: 1, k: 1, n: 1 }, { rows: 7, k: 33, n: 100 } ], quick: [ { rows: 64, k: 32, n: 1000 } ] }
baseline: { host: right }
)YAML";

TEST(NotUnique, ARandomSampleIsDistinctAndInRange) {
  const std::string loop = R"CODE(
    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t j = 0; j < a.k; ++j) {
        a.index(i, j) = static_cast<std::int32_t>((j * 7 + i * 31) % a.n);  // 7 and the tests' n have no common factor
        a.drawn(i, j) = a.x(a.index(i, j));
      }
    const std::int64_t r = a.rows - 1, c = a.k - 1;)CODE";
  const auto found =
      verify("draw", draw,
             {{"right", loop},
              {"repeats", loop + " a.index(r, c) = a.index(r, 0); a.drawn(r, c) = a.drawn(r, 0);"},
              {"out_of_range", loop + " a.index(r, c) = static_cast<std::int32_t>(a.n);"},
              {"one_off", loop + " a.drawn(r, c) += 1e-6f;"},
              {"not_a_number", loop + " a.drawn(r, c) = std::nanf(\"\");"},
              {"nothing", ""}});
  EXPECT_EQ(found.status, 1) << found.all;
  const auto line = [&](const std::string& name) {
    return found.line.count(name) ? found.line.at(name) : found.all;
  };
  EXPECT_THAT(line("right"), HasSubstr("right on 2 workloads"));
  EXPECT_THAT(line("repeats"), HasSubstr("index[6, 32] is "));
  EXPECT_THAT(line("repeats"), HasSubstr(" as is index[6, 0], expected distinct numbers"));
  EXPECT_THAT(
      line("out_of_range"),
      HasSubstr("checks.taken reads x[1] by a number that the contestant wrote, expected indices within its "
                "shape [1]"));
  EXPECT_THAT(line("one_off"), HasSubstr("check taken at i = 0, j = 0: found "));
  EXPECT_THAT(line("not_a_number"), HasSubstr("check taken at i = 0, j = 0: found nan"));
  EXPECT_THAT(line("nothing"), HasSubstr("not written"));
}

constexpr char padded[] = R"YAML(podium: 1
title: Rows of different lengths
axes: [batch, most]
structure:
  length: { dtype: i32, shape: [batch], compute: "for (b : batch) out(b) = random.below(most + 1);" }
tensors:
  x: { role: input, dtype: f32, shape: [batch, most], fill: normal }
  y: { role: output, dtype: f32, shape: [batch, most], tolerance: { ulp: 0 } }
reference: { y: { index: [b, t], value: "2 * x(b, t)", any: "t >= length(b)" } }
sample: { b: 4 }
workloads:
  test: [ { batch: 3, most: 5 }, { batch: 40, most: 33 } ]
  quick: [ { batch: 100, most: 1000 } ]
baseline: { host: silent }
)YAML";

TEST(NotUnique, WhatNobodyReadsMayHoldAnything) {
  const std::string used = R"CODE(
    for (std::int64_t b = 0; b < a.batch; ++b)
      for (std::int64_t t = 0; t < a.length.host(b); ++t) a.y(b, t) = 2 * a.x(b, t);)CODE";
  const auto behind = [](const std::string& value) {
    return "\n    for (std::int64_t b = 0; b < a.batch; ++b)\n"
           "      for (std::int64_t t = a.length.host(b); t < a.most; ++t) a.y(b, t) = " +
           value + ";";
  };
  const auto found =
      verify("padded", padded,
             {{"silent", used},
              {"not_a_number", used + behind("std::nanf(\"\")")},
              {"garbage", used + behind("1e30f * a.x(b, 0)")},
              {"beyond", used + "\n    (&a.y(0, 0))[a.batch * a.most] = 1;"},
              {"one_off", used + "\n    for (std::int64_t b = 0; b < a.batch; ++b)\n"
                                 "      if (a.length.host(b) > 0) a.y(b, a.length.host(b) - 1) += 1;"},
              {"nothing", ""}});
  EXPECT_EQ(found.status, 1) << found.all;
  const auto line = [&](const std::string& name) {
    return found.line.count(name) ? found.line.at(name) : found.all;
  };
  for (const char* right : {"silent", "not_a_number", "garbage"})
    EXPECT_THAT(line(right), HasSubstr("right on 2 workloads")) << right;
  EXPECT_THAT(line("beyond"), HasSubstr("out of bounds"));
  EXPECT_THAT(line("one_off"), HasSubstr("wrong"));
  EXPECT_THAT(line("nothing"), HasSubstr("not written"));
}

}  // namespace
}  // namespace podium::test
