// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Problems of the forms scan, scatter, order, recur and code, each with a right and a wrong contestant on the
// CPU: only the right one is right on every workload, in full and sampled.
#include <gtest/gtest.h>

#include "tests/end_to_end/command.hpp"

namespace podium::test {
namespace {

struct Case {
  std::string name;
  std::string body;  // of the problem: all but podium, title and workloads
  std::string tests, quick;
  std::string right;     // of run()
  std::string from, to;  // what makes it wrong
};

void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

const Case cases[] = {{"prefix_sum",
                       R"y(axes: [rows, cols]
tensors:
  x: { role: input, dtype: f32, shape: [rows, cols], fill: normal }
  y: { role: output, dtype: f32, shape: [rows, cols], tolerance: { ulp: 2, growth: "sqrt(cols)", scale: magnitude } }
reference:
  y: { index: [i, j], scan: { along: j, op: sum, term: "x(i, j)", exclusive: true } }
sample: { i: 8, j: 64 }
)y",
                       "{ rows: 1, cols: 1 }, { rows: 7, cols: 1023 }", "{ rows: 64, cols: 5000 }",
                       R"c(    for (std::int64_t i = 0; i < a.rows; ++i) {
      double sum = 0;
      for (std::int64_t j = 0; j < a.cols; ++j) {
        a.y(i, j) = static_cast<float>(sum);
        sum += a.x(i, j);
      }
    })c",
                       "a.y(i, j) = static_cast<float>(sum);\n        sum += a.x(i, j);",
                       "sum += a.x(i, j);\n        a.y(i, j) = static_cast<float>(sum);"},
                      {"histogram",
                       R"y(axes: [n]
constants: { bins: 64 }
tensors:
  x: { role: input, dtype: i32, shape: [n], fill: { integers: { low: 0, high: 63 } } }
  y: { role: output, dtype: i32, shape: [bins] }
reference:
  y: { index: [b], scatter: { over: { t: n }, at: { b: "x(t)" }, op: count, term: "1" } }
)y",
                       "{ n: 0 }, { n: 1 }, { n: 10000 }", "{ n: 300000 }",
                       R"c(    for (std::int64_t b = 0; b < 64; ++b) a.y(b) = 0;
    for (std::int64_t t = 0; t < a.n; ++t) a.y(a.x(t)) = a.y(a.x(t)) + 1;)c",
                       "t = 0; t < a.n;", "t = 1; t < a.n;"},
                      {"top_k",
                       R"y(axes: [rows, cols]
constants: { k: 8 }
conditions: ["cols >= k"]
tensors:
  x: { role: input, dtype: i32, shape: [rows, cols], fill: { integers: { low: -50, high: 50 } } }
  value: { role: output, dtype: i32, shape: [rows, k] }
  index: { role: output, dtype: i32, shape: [rows, k] }
reference:
  order: { index: { i: rows, r: k }, order: { along: { j: cols }, by: "x(i, j)", descending: true } }
  value: { index: [i, r], value: "x(i, order(i, r))" }
  index: { index: [i, r], value: "order(i, r)" }
sample: { i: 8 }
)y",
                       "{ rows: 1, cols: 8 }, { rows: 9, cols: 777 }", "{ rows: 500, cols: 300 }",
                       R"c(    for (std::int64_t i = 0; i < a.rows; ++i)
      for (std::int64_t r = 0; r < 8; ++r) {
        std::int64_t best = -1;
        for (std::int64_t j = 0; j < a.cols; ++j) {
          bool taken = false;
          for (std::int64_t q = 0; q < r; ++q) taken |= a.index(i, q) == j;
          if (!taken && (best < 0 || a.x(i, j) > a.x(i, best))) best = j;
        }
        a.index(i, r) = static_cast<std::int32_t>(best);
        a.value(i, r) = a.x(i, best);
      })c",
                       "a.x(i, j) > a.x(i, best)", "a.x(i, j) >= a.x(i, best)"},
                      {"linear_recurrence",
                       R"y(axes: [lines, steps]
tensors:
  x: { role: input, dtype: f32, shape: [lines, steps], fill: normal }
  decay: { role: input, dtype: f32, shape: [lines], fill: { uniform: { low: 0.5, high: 1 } } }
  s: { role: output, dtype: f32, shape: [lines, steps], tolerance: { ulp: 2, growth: "sqrt(steps)", scale: magnitude } }
reference:
  s: { index: [i, t], recur: { along: t, first: "x(i, 0)", next: "decay(i) * s(i, t - 1) + x(i, t)" } }
sample: { i: 8, t: 64 }
)y",
                       "{ lines: 1, steps: 1 }, { lines: 5, steps: 900 }", "{ lines: 100, steps: 2000 }",
                       R"c(    for (std::int64_t i = 0; i < a.lines; ++i) {
      double s = 0;
      for (std::int64_t t = 0; t < a.steps; ++t) {
        s = a.decay(i) * s + a.x(i, t);
        a.s(i, t) = static_cast<float>(s);
      }
    })c",
                       "a.decay(i) * s", "(t % 100 == 99 ? 1.0 : a.decay(i)) * s"},
                      {"cholesky",
                       R"y(axes: [batch]
constants: { n: 4 }
tensors:
  g: { role: input, dtype: f32, shape: [batch, n, n], fill: normal }
  l: { role: output, dtype: f32, shape: [batch, n, n], tolerance: { ulp: 4, growth: 256, scale: spread } }
reference:
  product: { index: { b: batch, i: n, j: n }, reduce: { over: { k: n }, op: sum, term: "g(b, i, k) * g(b, j, k)" } }
  spread: { index: { b: batch, i: n }, value: "product(b, i, i) + 1" }
  l:
    index: [b, i, j]
    recur:
      along: j
      first: "(product(b, i, 0) + (i == 0 ? 1 : 0)) / sqrt(product(b, 0, 0) + 1)"
      next: |
        if (i < j) return 0.0;
        double below = product(b, i, j) + (i == j ? 1 : 0), pivot = product(b, j, j) + 1;
        for (i64 k = 0; k < j; ++k) {
          below -= l(b, i, k) * l(b, j, k);
          pivot -= l(b, j, k) * l(b, j, k);
        }
        return below / sqrt(pivot);
sample: { b: 16 }
)y",
                       "{ batch: 1 }, { batch: 50 }", "{ batch: 4000 }",
                       R"c(    for (std::int64_t b = 0; b < a.batch; ++b)
      for (std::int64_t j = 0; j < 4; ++j)
        for (std::int64_t i = 0; i < 4; ++i) {
          double sum = i == j ? 1 : 0;
          for (std::int64_t k = 0; k < 4; ++k) sum += double(a.g(b, i, k)) * a.g(b, j, k);
          for (std::int64_t k = 0; k < j; ++k) sum -= double(a.l(b, i, k)) * a.l(b, j, k);
          a.l(b, i, j) = static_cast<float>(i < j ? 0 : i == j ? std::sqrt(sum) : sum / a.l(b, j, j));
        })c",
                       "i < j ? 0 :", "i < j ? 1e-1 :"},
                      {"collatz",
                       R"y(axes: [n]
tensors:
  x: { role: input, dtype: i32, shape: [n], fill: { integers: { low: 1, high: 9999 } } }
  y: { role: output, dtype: i32, shape: [n] }
reference:
  y:
    index: [i]
    code: |
      i64 steps = 0;
      for (i64 v = x(i); v != 1; ++steps) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
      return steps;
sample: { i: 500 }
)y",
                       "{ n: 1 }, { n: 1000 }", "{ n: 20000 }",
                       R"c(    for (std::int64_t i = 0; i < a.n; ++i) {
      std::int32_t steps = 0;
      for (std::int64_t v = a.x(i); v != 1; ++steps) v = v % 2 == 0 ? v / 2 : 3 * v + 1;
      a.y(i) = steps;
    })c",
                       "a.y(i) = steps;", "a.y(i) = steps + (a.x(i) == 1 || i + 1 == a.n);"}};

std::string contestant(const Case& one, const std::string& title, const std::string& run) {
  return "// podium: { title: \"" + title + "\" }\n#include <cmath>\n\n#include <podium/" + one.name +
         ".hpp>\n\n" +
         "namespace {\nstruct Contestant {\n  void run(const problem::Arguments& a, podium::Stream) {\n" +
         run + "\n  }\n};\n}  // namespace\n";
}

class Forms : public testing::TestWithParam<Case> {};

TEST_P(Forms, TheRightOneIsRightAndTheWrongOneWrong) {
  const Case& one = GetParam();
  const Scratch scratch;
  std::string wrong = one.right;
  ASSERT_NE(wrong.find(one.from), std::string::npos);
  wrong.replace(wrong.find(one.from), one.from.size(), one.to);
  scratch.write("problems/" + one.name + "/problem.yaml", "podium: 1\ntitle: " + one.name + "\n" + one.body +
                                                              "workloads:\n  test: [ " + one.tests +
                                                              " ]\n  quick: [ " + one.quick + " ]\n");
  scratch.write("problems/" + one.name + "/good.cpp", contestant(one, "A loop", one.right));
  scratch.write("problems/" + one.name + "/bad.cpp", contestant(one, "A wrong loop", wrong));
  const auto verify = [&](const std::string& who) {
    return podium({"verify", one.name, "--device", "host", "--quiet", "--contestant", who, "--problems",
                   (scratch.path() / "problems").string()});
  };
  const auto good = verify("good"), bad = verify("bad");
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  EXPECT_NE(good.out.find("right on "), std::string::npos) << good.out << good.err;
  EXPECT_EQ(bad.status, 1) << bad.out << bad.err;
  EXPECT_NE(bad.out.find("wrong"), std::string::npos) << bad.out << bad.err;
}
INSTANTIATE_TEST_SUITE_P(EndToEnd, Forms, testing::ValuesIn(cases),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace podium::test
