// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// sin and cos in terms: values of the C library, and magnitudes that pass with the slope.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

constexpr const char* rotation = R"y(tensors:
  x: { role: input, dtype: f64, shape: [m, n], fill: { normal: { mean: 0, stddev: 1000 } } }
  s: { role: output, dtype: f64, shape: [m, n], tolerance: { ulp: 4, accumulate: f64, scale: value } }
  c: { role: output, dtype: f64, shape: [m, n], tolerance: { ulp: 4, accumulate: f64, scale: value } }
  whole: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 4, accumulate: f64, scale: value } }
reference:
  s: { index: [i, j], value: "sin(x(i, j))" }
  c: { index: [i, j], value: "cos(x(i, j))" }
  whole: { index: [j], value: "sin(j) + 2 * cos(-j)" }       # of whole numbers, as of all functions
sample: { j: 5 }
)y";

TEST(Trigonometry, AgreesWithTheCLibrary) {
  for (const bool full : {true, false})
    agrees(
        problem_of(rotation, "{ m: 3, n: 70 }"), full, 3,
        [](Judged& j) {
          double* x = j.data<double>("x");
          const double special[] = {0, -0.0, 0x1p-1074, 1e-300, M_PI, -M_PI_2, 1e22, 0x1p1000};
          std::copy(std::begin(special), std::end(special), x);
          for (int k = 0; k < 210; ++k) {
            j.data<double>("s")[k] = std::sin(x[k]);
            j.data<double>("c")[k] = std::cos(x[k]);
          }
          for (int k = 0; k < 70; ++k) j.data<double>("whole")[k] = std::sin(k) + 2 * std::cos(k);
        },
        [](Judged& j) { std::swap(j.data<double>("s")[0], j.data<double>("c")[0]); });
}

TEST(Trigonometry, OfInfinityIsNotANumber) {
  Judged j(problem_of(rotation, "{ m: 1, n: 2 }"));
  j.evaluator.fill(forms_seed);
  const double infinity = std::numeric_limits<double>::infinity();
  const auto right = [&](double s, double c) {
    j.data<double>("x")[0] = infinity;
    j.data<double>("x")[1] = 0;
    for (const auto& [name, value, other] : {std::tuple{"s", s, 0.0}, {"c", c, 1.0}}) {
      j.data<double>(name)[0] = value;
      j.data<double>(name)[1] = other;
    }
    for (int k = 0; k < 2; ++k) j.data<double>("whole")[k] = std::sin(k) + 2 * std::cos(k);
    return j.evaluator.verify(forms_seed, forms_poison).right;
  };
  EXPECT_TRUE(right(std::nan(""), std::nan("")));
  EXPECT_FALSE(right(0, std::nan("")));
  EXPECT_FALSE(right(std::nan(""), 1));
}

// An error of x grows by |cos x| on its way through sin, by |sin x| through cos; each brings its own.
TEST(Trigonometry, MagnitudesPassWithTheSlope) {
  const std::string yaml = problem_of(R"y(tensors:
  x: { role: input, dtype: f64, shape: [n], fill: { uniform: { low: -100, high: 100 } } }
  s: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 0, scale: magnitude } }
  c: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 0, scale: magnitude } }
reference:
  s: { index: [i], value: "sin(x(i) - 90)" }
  c: { index: [i], value: "cos(x(i) - 90)" }
)y",
                                      "{ m: 1, n: 200 }");
  // Elements whose slope is less than `slope` are moved by `times` their limit.
  const auto move = [](Judged& j, double times_s, double times_c, double slope) {
    const double* x = j.data<double>("x");
    for (int k = 0; k < 200; ++k) {
      const double s = std::sin(x[k] - 90), c = std::cos(x[k] - 90), magnitude = std::fabs(x[k]) + 90;
      const double limit_s = 0x1p-23 * std::max(std::fabs(s), std::fabs(c) * magnitude);
      const double limit_c = 0x1p-23 * std::max(std::fabs(c), std::fabs(s) * magnitude);
      j.data<double>("s")[k] = s + (std::fabs(c) < slope ? times_s * limit_s : 0);
      j.data<double>("c")[k] = c - (std::fabs(s) < slope ? times_c * limit_c : 0);
    }
  };
  for (const double slope : {2.0, 0.5})
    for (const double sign : {1.0, -1.0}) {
      const auto inside = [&](Judged& j) { move(j, 0.999 * sign, 0.999 * sign, 2); };
      agrees(yaml, true, 3, inside, [&](Judged& j) { move(j, 1.001 * sign, 0, slope); });
      agrees(yaml, true, 3, inside, [&](Judged& j) { move(j, 0, 1.001 * sign, slope); });
    }
}

}  // namespace
}  // namespace podium::judge
