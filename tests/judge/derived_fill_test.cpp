// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fills that are references, of every form, against plain loops over what the inputs before them hold.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "suite/problem/program/fill_draw.hpp"
#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

using program::i64;
using testing::HasSubstr;

constexpr i64 n = 6, m = 37;

// Tensors stand before those that they are filled from: the file's order is of no consequence.
const std::string every_form =
    problem_of(R"y(tensors:
  probability: { role: input, dtype: f32, shape: [n, m], fill: { index: [i, j], value: "exp(w(i, j)) / total(i)" } }
  gates: { role: input, dtype: f64, shape: [n, m], fill: { index: [i, t], scan: { along: t, op: sum, term: "random(0, i, t)" } } }
  counts: { role: input, dtype: i64, shape: [m], fill: { index: [b], scatter: { over: { i: n, j: m }, at: { b: "places(i, j)" }, op: sum, term: "j" } } }
  places: { role: input, dtype: i32, shape: [n, m], fill: { index: [i, r], order: { along: { j: m }, by: "w(i, j)" } } }
  norms: { role: input, dtype: f32, shape: [n], fill: { index: [i], reduce: { over: { j: m }, op: sum, term: "w(i, j) * w(i, j)" } } }
  w: { role: input, dtype: f32, shape: [n, m], fill: normal }
  state: { role: inout, dtype: f32, shape: [n, m], tolerance: { ulp: 1 }, fill: { index: [i, t], recur: { along: t, first: "normal(0)", next: "0.5 * state(i, t - 1) + random(1)" } } }
  bodies: { role: input, dtype: f64, shape: [n], fill: { index: [i], code: "double x = 0; for (int j = 0; j < i; ++j) x += w(i, j); return x;" } }
  told: { role: input, dtype: i64, shape: [m], fill: { index: [j], host: "for (int j = 0; j < m; ++j) out(j) = counts(j) + 1;" } }
reference:
  total: { index: { i: n }, reduce: { over: { j: m }, op: sum, term: "exp(w(i, j))" } }
  state: { index: [i, t], value: "state.initial(i, t) + probability(i, t) * total(i)" }
)y",
               "{ n: 6, m: 37 }, { n: 0, m: 3, name: none }", "{ n: 1, m: 1, fill: { told: ones } }");

double drawn(const Judged& j, const std::string& tensor, int k, i64 a, i64 b, bool normal) {
  std::uint32_t number = 0;
  while (j.instance.tensors[number].name != tensor) ++number;
  const i64 coordinate[3] = {a, b, 0};
  const auto block = program::draw_block(program::Draws{forms_seed, number}, k, coordinate);
  return normal ? program::Normal::of(block) : program::Uniform::of(block);
}

void holds_what_loops_say(Judged& j) {
  const float* const w = j.data<float>("w");
  std::vector<i64> counts(m);
  for (i64 i = 0; i < n; ++i) {
    const float* const row = w + i * m;
    double total = 0, squares = 0, gate = 0, body = 0, state = drawn(j, "state", 0, i, 0, true);
    for (i64 k = 0; k < m; ++k) total += std::exp(double(row[k])), squares += double(row[k]) * row[k];
    std::vector<i64> order(m);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](i64 a, i64 b) { return row[a] < row[b]; });
    std::size_t s = 0;
    while (j.instance.tensors[s].name != "state") ++s;
    const auto* const initial = reinterpret_cast<const float*>(j.evaluator.input(s));
    for (i64 k = 0; k < m; ++k) {
      EXPECT_FLOAT_EQ(j.data<float>("probability")[i * m + k], float(std::exp(double(row[k])) / total));
      gate += drawn(j, "gates", 0, i, k, false);
      EXPECT_DOUBLE_EQ(j.data<double>("gates")[i * m + k], gate);
      EXPECT_EQ(j.data<std::int32_t>("places")[i * m + k], order[std::size_t(k)]);
      counts[std::size_t(order[std::size_t(k)])] += k;
      if (k > 0) state = 0.5 * state + drawn(j, "state", 1, i, k, false);
      EXPECT_FLOAT_EQ(initial[i * m + k], float(state)) << i << " " << k;
      if (k < i) body += row[k];
    }
    EXPECT_FLOAT_EQ(j.data<float>("norms")[i], float(squares));
    EXPECT_DOUBLE_EQ(j.data<double>("bodies")[i], body);
  }
  for (i64 k = 0; k < m; ++k) {
    EXPECT_EQ(j.data<i64>("counts")[k], counts[std::size_t(k)]);
    EXPECT_EQ(j.data<i64>("told")[k], counts[std::size_t(k)] + 1);
  }
}

TEST(DerivedFill, EveryFormAgreesWithALoop) {
  for (const bool emulated : {false, true})
    for (const int groups : {1, 7}) {
      SCOPED_TRACE(std::to_string(groups) + " groups" + (emulated ? ", emulated" : ""));
      Judged j(every_form, true, 0, 0, emulated);
      j.device.most_groups = groups;
      j.evaluator.fill(forms_seed + 1);  // what an earlier fill left is of no consequence
      j.evaluator.fill(forms_seed);
      holds_what_loops_say(j);
      std::memcpy(j.data<float>("state"), j.evaluator.input(6), n * m * sizeof(float));
      for (i64 k = 0; k < n * m; ++k) j.data<float>("state")[k] += std::exp(j.data<float>("w")[k]);
      EXPECT_TRUE(j.evaluator.verify(forms_seed, forms_poison).right);
      j.data<float>("state")[5] += 1;
      EXPECT_FALSE(j.evaluator.verify(forms_seed, forms_poison).right);
    }
}

TEST(DerivedFill, OfNothingIsNothing) {
  Judged j(every_form, true, 0, 1);
  j.evaluator.fill(forms_seed);
  for (i64 k = 0; k < 3; ++k) EXPECT_EQ(j.data<i64>("counts")[k], 0);
  EXPECT_TRUE(j.evaluator.verify(forms_seed, forms_poison).right);
}

// One of a workload's own, and elements that do not lie row-major or share a byte.
const std::string layouts =
    problem_of(R"y(tensors:
  x: { role: input, dtype: f32, shape: [n, m], fill: { uniform: { low: -8, high: 8 } } }
  apart: { role: input, dtype: f16, shape: [n, m], strides: ["2 * m + 1", 2], fill: { index: [i, j], value: "x(i, j) / 3" } }
  pairs: { role: input, dtype: e2m1, shape: [n, 2 * m], fill: { index: [i, j], value: "x(i, j / 2) / 2 - j % 2" } }
  tiled: { role: input, dtype: e4m3, shape: [n, m], layout: scales_128x4, fill: { index: [i, j], value: "exp(x(i, j))" } }
  pairs_apart: { role: input, dtype: e2m1, shape: [n, 2 * m], strides: ["2 * m + 4", 1], fill: { index: [i, j], value: "x(i, j / 2) / 2 - j % 2" } }
  y: { role: output, dtype: f32, shape: [], tolerance: { ulp: 1 } }
reference: { y: { index: [], value: "apart(0, 0)" } }
)y",
               "{ n: 6, m: 37 }, { n: 6, m: 37, name: own, fill: { apart: { index: [i, "
               "j], value: \"x(n - 1 - i, j) * 2 + pairs(0, 0)\" } } }");

TEST(DerivedFill, ElementsAreRoundedOnceWhereverTheyLie) {
  for (const std::size_t workload : {0u, 1u}) {
    SCOPED_TRACE(workload);
    Judged j(layouts, true, 0, workload, workload == 0);
    j.evaluator.fill(forms_seed);
    const float* const x = j.data<float>("x");
    const auto* const pairs = j.data<std::uint8_t>("pairs");
    const auto* const pairs_apart = j.data<std::uint8_t>("pairs_apart");
    for (i64 i = 0; i < n; ++i)
      for (i64 k = 0; k < m; ++k) {
        const double first = program::widen(program::e2m1{std::uint8_t(pairs[0] & 15)});
        const double apart = workload ? double(x[(n - 1 - i) * m + k]) * 2 + first : double(x[i * m + k]) / 3;
        EXPECT_EQ(j.data<program::f16>("apart")[i * (2 * m + 1) + 2 * k].bits,
                  program::narrow<program::f16>(apart).bits);
        EXPECT_EQ(j.data<program::e4m3>("tiled")[k / 4 * 512 + i * 16 + k % 4].bits,
                  program::narrow<program::e4m3>(std::exp(double(x[i * m + k]))).bits);
        const int low = program::narrow<program::e2m1>(double(x[i * m + k]) / 2).bits,
                  high = program::narrow<program::e2m1>(double(x[i * m + k]) / 2 - 1).bits;
        EXPECT_EQ(pairs[i * m + k], low | high << 4);
        EXPECT_EQ(pairs_apart[i * (m + 2) + k], low | high << 4);
      }
  }
}

TEST(DerivedFill, FaultsAreTheProblems) {
  const auto with = [](const std::string& fill) {
    return problem_of(
        "tensors:\n  x: { role: input, dtype: f32, shape: [n], fill: normal }\n  z: { role: input, "
        "dtype: f32, shape: [n], fill: " +
            fill +
            " }\n  y: { role: output, dtype: f32, shape: [], tolerance: { ulp: 1 } }\n"
            "reference: { y: { index: [], value: \"0 * x(0)\" } }\n",
        "{ m: 1, n: 5 }");
  };
  EXPECT_EQ(fault_of(with("{ index: [i], value: \"x(i)\" }")), "no error");
  EXPECT_THAT(fault_of(with("{ index: [i], value: \"x(i + 1)\" }")),
              testing::AllOf(HasSubstr("problem.yaml:6"), HasSubstr("tensors.z.fill"), HasSubstr("x"),
                             HasSubstr("5")));
  EXPECT_THAT(fault_of(with("{ index: [i], recur: { along: i, first: 1, next: \"z(i + 1)\" } }"), false),
              HasSubstr("tensors.z.fill"));
}

TEST(DerivedFill, SharesItsMemoryWithTheVerification) {
  const auto yaml = [](const std::string& fill) {
    return problem_of("tensors:\n  x: { role: input, dtype: f32, shape: [n], fill: " + fill +
                          " }\n  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }\n"
                          "reference: { y: { index: [i], value: \"x(i)\" } }\nsample: { i: 4 }\n",
                      "{ m: 1, n: 1000000 }");
  };
  Judged direct(yaml("normal")), derived(yaml("{ index: [i], value: \"exp(random(0))\" }"));
  const auto bytes = [](Judged& j, bool full) { return Evaluator::memory(j.problem, j.instance, full); };
  EXPECT_EQ(bytes(derived, true), bytes(direct, true));
  EXPECT_GE(bytes(derived, false), bytes(direct, false) + 7900000)
      << "8 bytes an element until it is rounded";
}

}  // namespace
}  // namespace podium::judge
