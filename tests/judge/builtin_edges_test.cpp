// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Built-in checks and probes at the edges: one element, rows of one, infinities, denormal numbers, zeros of
// both signs, NaN that the input had.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float denormal = 0x1p-149f;
const float nan = std::nanf("");

// x[m, n] by the term, an output y of its shape, keys p; verdicts on numbers written to y.
class Trial {
 public:
  Trial(const std::string& fill, const std::string& checks, std::int64_t m, std::int64_t n,
        bool emulated = false)
      : judged_(problem_of(R"y(tensors:
  x: { role: input, dtype: f32, shape: [m, n], fill: { index: [i, j], value: ")y" +
                               fill + R"y(" } }
  y: { role: output, dtype: f32, shape: [m, n] }
  p: { role: output, dtype: i32, shape: [m, n] }
checks:
  there: { index: [i, j], value: "y(i, j) != y(i, j) && p(i, j) < 0", limit: 0 }
)y" + checks,
                           "{ m: " + std::to_string(m) + ", n: " + std::to_string(n) + " }"),
                true, 0, 0, emulated) {
    judged_.evaluator.fill(forms_seed);
    std::fill_n(judged_.data<std::int32_t>("p"), m * n, 1);
  }
  const float* x() { return judged_.data<float>("x"); }
  std::int32_t* keys() { return judged_.data<std::int32_t>("p"); }
  bool right(const std::vector<float>& numbers) {
    if (static_cast<std::int64_t>(numbers.size()) != judged_.elements("y")) throw Error("as many as y has");
    std::copy(numbers.begin(), numbers.end(), judged_.data<float>("y"));
    return judged_.evaluator.verify(forms_seed, 0xa5).right;
  }

 private:
  Judged judged_;
};

TEST(BuiltinEdges, SortedOfInfinitiesDenormalsAndZeros) {
  for (const bool emulated : {false, true}) {
    Trial up("0", "  a: { sorted: y }\n", 1, 6, emulated);
    EXPECT_TRUE(up.right({-infinity, -denormal, -0.0f, 0, denormal, infinity}));
    EXPECT_TRUE(up.right({-infinity, -infinity, 0, -0.0f, infinity, infinity})) << "zeros are equal";
    EXPECT_FALSE(up.right({-infinity, denormal, -denormal, 0, 1, infinity}));
    EXPECT_FALSE(up.right({-1, denormal, 0, 1, 2, 3})) << "denormal numbers are not zero";
    EXPECT_FALSE(up.right({infinity, -1, 0, 1, 2, 3}));
    EXPECT_FALSE(up.right({-3, -2, 0, 1, infinity, nan}));
    Trial down("0", "  a: { sorted: y, descending: true }\n", 1, 6, emulated);
    EXPECT_TRUE(down.right({infinity, denormal, 0, -0.0f, -denormal, -infinity}));
    EXPECT_FALSE(down.right({infinity, 0, denormal, -1, -2, -infinity}));
  }
}

TEST(BuiltinEdges, PermutationOfInfinitiesZerosAndNan) {
  const std::string x =
      "j == 0 ? 0.0 / 0 : j == 1 ? ldexp(1.0, 200) : j == 2 ? -ldexp(1.0, 200) : j == 3 ? ldexp(1.0, -149) : "
      "j == 4 ? 0.0 : 1";
  for (const bool emulated : {false, true}) {
    Trial trial(x, "  a: { permutation: [y, x] }\n", 1, 6, emulated);
    const std::vector<float> all(trial.x(), trial.x() + 6);
    ASSERT_TRUE(std::isnan(all[0]) && all[1] == infinity && all[2] == -infinity && all[3] == denormal);
    std::vector<float> turned(all.rbegin(), all.rend());
    EXPECT_TRUE(trial.right(turned));
    for (std::size_t k = 0; k < 6; ++k) {  // each of them counts
      std::vector<float> other = turned;
      other[k] = 2;
      EXPECT_FALSE(trial.right(other)) << k;
    }
    turned[5] = 1, turned[0] = all[0];
    EXPECT_TRUE(trial.right(turned));
    std::replace(turned.begin(), turned.end(), infinity, -infinity);
    EXPECT_FALSE(trial.right(turned)) << "the sign of an infinity";
    std::vector<float> flushed(all);
    flushed[3] = 0;
    EXPECT_FALSE(trial.right(flushed)) << "a denormal number is not zero";
  }
}

TEST(BuiltinEdges, StableAmongZerosAndInfinities) {
  Trial trial("0", "  a: { sorted: y }\n  b: { stable: [y, p] }\n", 1, 4);
  const auto with = [&](std::initializer_list<std::int32_t> keys, const std::vector<float>& numbers) {
    std::copy(keys.begin(), keys.end(), trial.keys());
    return trial.right(numbers);
  };
  EXPECT_TRUE(with({4, 5, 1, 2}, {-0.0f, 0, infinity, infinity}));
  EXPECT_FALSE(with({5, 4, 1, 2}, {-0.0f, 0, infinity, infinity})) << "zeros are equal";
  EXPECT_FALSE(with({4, 5, 2, 1}, {-0.0f, 0, infinity, infinity}));
  EXPECT_TRUE(with({4, 3, 2, 1}, {-denormal, 0, denormal, infinity}));
}

TEST(BuiltinEdges, DistinctInfinitiesAndDenormals) {
  Trial trial("0", "  a: { distinct: y }\n", 1, 5);
  EXPECT_TRUE(trial.right({infinity, -infinity, 0, denormal, 2 * denormal}));
  EXPECT_FALSE(trial.right({infinity, 1, 2, 3, infinity}));
  EXPECT_FALSE(trial.right({denormal, 1, 2, 3, denormal}));
  EXPECT_FALSE(trial.right({0, 1, 2, 3, -0.0f}));
  EXPECT_FALSE(trial.right({nan, 1, 2, 3, 4}));
}

TEST(BuiltinEdges, TriangularAndFiniteTellDenormalsAndInfinities) {
  Trial trial("0", "  a: { triangular: y, part: lower }\n", 2, 2);
  EXPECT_TRUE(trial.right({1, -0.0f, infinity, 1}));
  EXPECT_FALSE(trial.right({1, denormal, 3, 1}));
  EXPECT_FALSE(trial.right({1, infinity, 3, 1}));
  Trial finite("0", "  a: { finite: y }\n", 2, 2);
  EXPECT_TRUE(finite.right({denormal, -0.0f, std::numeric_limits<float>::max(), -1}));
  EXPECT_FALSE(finite.right({1, 2, 3, -infinity}));
}

TEST(BuiltinEdges, OneElementAndRowsOfOne) {
  const std::string checks =
      "  a: { sorted: y }\n  b: { permutation: [[y], [x]] }\n  c: { stable: [y, p] }\n  d: { distinct: y }\n"
      "  e: { finite: y }\n  f: { triangular: y, part: upper }\n";
  for (const bool emulated : {false, true}) {
    Trial one("7", checks, 1, 1, emulated);
    EXPECT_TRUE(one.right({7}));
    EXPECT_FALSE(one.right({8}));
    EXPECT_FALSE(one.right({infinity}));
    EXPECT_FALSE(one.right({nan}));
    Trial rows("i == 0 ? 9 : 0", checks, 3, 1, emulated);
    EXPECT_TRUE(rows.right({9, 0, 0})) << "each row for itself";
    EXPECT_FALSE(rows.right({9, 0, 1}));
  }
}

// Probes of no element, of one, and of axes of which one has none.
TEST(BuiltinEdges, ProbesOfNothingAndOfOne) {
  for (const auto& [m, n] : {std::pair{0, 3}, {3, 0}, {0, 0}, {1, 1}, {1, 5}}) {
    Judged judged(problem_of(R"y(tensors:
  x: { role: input, dtype: f32, shape: [m, n], fill: normal }
  y: { role: output, dtype: f32, shape: [m, n] }
probe: { z: { shape: [n] }, v: { shape: [m, n] } }
reference:
  all: { index: { i: m }, reduce: { over: { j: n }, op: sum, term: "(y(i, j) - x(i, j)) * z(j) * v(i, j)" } }
checks:
  same: { index: { i: m }, value: "all(i)", limit: 0 }
)y",
                             "{ m: " + std::to_string(m) + ", n: " + std::to_string(n) + " }"));
    judged.evaluator.fill(forms_seed);
    std::copy_n(judged.data<float>("x"), m * n, judged.data<float>("y"));
    EXPECT_TRUE(judged.evaluator.verify(forms_seed, forms_poison).right) << m << " " << n;
    if (m * n == 0) continue;
    judged.data<float>("y")[m * n - 1] += 1;
    EXPECT_FALSE(judged.evaluator.verify(forms_seed, forms_poison).right) << m << " " << n;
  }
}

// The form host with nothing to assign, and with one element.
TEST(BuiltinEdges, HostOfNothingAndOfOne) {
  for (const int n : {0, 1}) {
    Judged judged(
        "podium: 1\ntitle: t\naxes: [n]\ntensors:\n  x: { role: input, dtype: f32, shape: [n], fill: ones }\n"
        "  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 0 } }\nreference:\n"
        "  y: { index: [i], host: \"for (i64 i = 0; i < n; ++i) out(i) = 3 * x(i);\" }\n"
        "workloads: { test: [{ n: " +
        std::to_string(n) + " }] }\n");
    judged.evaluator.fill(forms_seed);
    if (n == 1) {
      judged.data<float>("y")[0] = 2;
      EXPECT_FALSE(judged.evaluator.verify(forms_seed, forms_poison).right);
      judged.data<float>("y")[0] = 3;
    }
    EXPECT_TRUE(judged.evaluator.verify(forms_seed, forms_poison).right) << n;
  }
}

}  // namespace
}  // namespace podium::judge
