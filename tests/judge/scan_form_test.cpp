// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The form scan against plain loops.
#include <cmath>
#include <limits>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

constexpr const char* prefixes = R"y(tensors:
  x: { role: input, dtype: f32, shape: [m, n], fill: normal }
  k: { role: input, dtype: i32, shape: [m, n], fill: { integers: { low: -9, high: 9 } } }
  total: { role: output, dtype: f32, shape: [m, n], tolerance: { ulp: 1, growth: 0.001, scale: magnitude } }
  before: { role: output, dtype: i64, shape: [m, n] }
  peak: { role: output, dtype: f64, shape: [m, n], tolerance: { ulp: 0 } }
  least: { role: output, dtype: i64, shape: [m, n] }
  positive: { role: output, dtype: i32, shape: [m, n] }
reference:
  total: { index: [i, j], scan: { along: j, op: sum, term: "x(i, j)" } }
  before: { index: [i, j], scan: { along: i, op: sum, term: "k(i, j)", exclusive: true } }
  peak: { index: [i, j], scan: { along: j, op: max, term: "x(i, j)", exclusive: true } }
  lows: { index: { j: n, i: m }, scan: { along: i, op: min, term: "k(i, j) + i" } }
  least: { index: [i, j], value: "lows(j, i) + lows(j, 0)" }
  positive: { index: [i, j], scan: { along: j, op: count, term: "k(i, j) > 0" } }
sample: { i: 3, j: 4 }
)y";

void expect_prefixes(Judged& judged) {
  const std::int64_t m = judged.instance.axes[0], n = judged.instance.axes[1];
  const auto* x = judged.data<float>("x");
  const auto* k = judged.data<std::int32_t>("k");
  for (std::int64_t i = 0; i < m; ++i) {
    double total = 0, peak = -std::numeric_limits<double>::infinity();
    std::int32_t positive = 0;
    for (std::int64_t j = 0; j < n; ++j) {
      const std::int64_t at = i * n + j;
      judged.data<double>("peak")[at] = peak;
      judged.data<float>("total")[at] = static_cast<float>(total += x[at]);
      judged.data<std::int32_t>("positive")[at] = positive += k[at] > 0;
      peak = std::max<double>(peak, x[at]);
    }
  }
  for (std::int64_t j = 0; j < n; ++j) {
    std::int64_t before = 0, least = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t i = 0; i < m; ++i) {
      const std::int64_t at = i * n + j;
      judged.data<std::int64_t>("before")[at] = before;
      before += k[at];
      least = std::min<std::int64_t>(least, k[at] + i);
      judged.data<std::int64_t>("least")[at] = least + k[j];
    }
  }
}

class ScanForm : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(ScanForm, AgreesWithALoop) {
  const auto [m, n] = GetParam();
  const std::string test = "{ m: " + std::to_string(m) + ", n: " + std::to_string(n) + " }";
  for (const bool full : {true, false})
    for (const int groups : {1, 7})
      agrees(
          problem_of(prefixes, test), full, groups, expect_prefixes,
          m * n == 0 ? std::function<void(Judged&)>() : [](Judged& judged) {
            judged.data<std::int64_t>("before")[judged.elements("before") - 1] += 1;
          });
}
INSTANTIATE_TEST_SUITE_P(Sizes, ScanForm,
                         testing::Values(std::pair{1, 1}, std::pair{0, 5}, std::pair{5, 0}, std::pair{3, 70},
                                         std::pair{2, 9001}, std::pair{5000, 3}, std::pair{70, 65}));

// The sum of x is small, that of |x| is not: only the magnitude admits an error of this size.
TEST(ScanForm, MagnitudeIsTheSumOfAbsoluteTerms) {
  const auto yaml = [](const std::string& scale) {
    return problem_of(R"y(tensors:
  x: { role: input, dtype: f32, shape: [n], fill: ones }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 0, growth: 1, scale: )y" +
                          scale + R"y( } }
reference:
  y: { index: [j], scan: { along: j, op: sum, term: "x(j) * (j % 2 == 0 ? 1 : -1)" } }
)y",
                      "{ m: 1, n: 4000 }");
  };
  const auto almost = [](Judged& judged) {
    for (int j = 0; j < 4000; ++j) judged.data<float>("y")[j] = j % 2 == 0 ? 1 : 0;
    judged.data<float>("y")[3999] = 3999 * 0x1p-23f;
  };
  agrees(yaml("magnitude"), true, 5, almost, [](Judged& judged) { judged.data<float>("y")[3999] *= 1.01f; });
  Judged judged(yaml("value"));
  judged.evaluator.fill(forms_seed);
  almost(judged);
  EXPECT_FALSE(judged.evaluator.verify(forms_seed, forms_poison).right);
}

TEST(ScanForm, F64SumsAreCompensatedAcrossParts) {
  const std::string yaml = problem_of(R"y(tensors:
  y: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 0.5, growth: 0 } }
reference:
  y: { index: [j], scan: { along: j, op: sum, term: "j == 0 ? 1.0 : 0x1p-60" } }
)y",
                                      "{ m: 1, n: 100000 }");
  agrees(yaml, true, 5, [](Judged& judged) {
    for (int j = 0; j < 100000; ++j) judged.data<double>("y")[j] = 1 + j * 0x1p-60;
  });
}

}  // namespace
}  // namespace podium::judge
