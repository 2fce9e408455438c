// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How small an error is noticed: from counts alone, and of outputs as the judge compares them.
#include "suite/judge/sensitivity.hpp"

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

using Kind = Sensitivity::Kind;

// Of elements whose limits are these parts of them; infinity: of what no limit can be given.
Sensitivity of(const std::vector<double>& limits) {
  return sensitivity([&](double factor) {
    return std::count_if(limits.begin(), limits.end(),
                         [&](double limit) { return std::isnan(limit) || limit * factor < 1; });
  });
}

TEST(Sensitivity, IsTheLeastLimitOfAllAndTheMedianOfOne) {
  const Sensitivity found = of({1e-6, 2e-3, 1e-3, 5, 1e-2});
  EXPECT_EQ(found.kind, Kind::measured);
  EXPECT_NEAR(found.all, 1e-6, 1e-9);
  EXPECT_NEAR(found.one, 2e-3, 2e-6);
}
TEST(Sensitivity, LeavesOutWhatIsAlwaysWrong) {
  const double never = std::nan("");
  EXPECT_NEAR(of({never, 0.5, never}).all, 0.5, 1e-3);
  EXPECT_EQ(of({never, never}).kind, Kind::exact);
  EXPECT_EQ(of({}).kind, Kind::all_zero);
}

std::vector<Sensitivity> sensed(const std::string& outputs, const std::string& references,
                                const std::string& fill = "{ sequence: { first: 1 } }") {
  Judged j("podium: 1\ntitle: t\naxes: [n]\ntensors:\n  x: { role: input, dtype: f32, shape: [n], fill: " +
           fill + " }\n" + outputs + references + "workloads: { test: [{ n: 8 }] }\n");
  j.evaluator.fill(forms_seed);
  return j.evaluator.sense(forms_seed, forms_poison);
}

TEST(Sensitivity, OfOutputs) {
  const auto found = sensed(
      "  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 4, growth: 0 } }\n"
      "  exact: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 0, growth: 0 } }\n"
      "  whole: { role: output, dtype: i32, shape: [n] }\n"
      "  none: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }\n"
      "  special: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 0, growth: 1, accumulate: bf16 } "
      "}\n"
      "  sorted: { role: output, dtype: f32, shape: [n] }\n"
      "  lax: { role: output, dtype: f32, shape: [n] }\n",
      "reference:\n"
      "  y: { index: [i], value: \"x(i)\" }\n"
      "  exact: { index: [i], value: \"x(i)\" }\n"
      "  whole: { index: [i], value: \"i + 1\" }\n"
      "  none: { index: [i], value: \"0 * x(i)\" }\n"
      "  special: { index: [i], value: \"i == 0 ? infinity : i == 1 ? log(-x(i)) : x(i)\" }\n"
      "checks: { same: { permutation: [sorted, x] }, near: { index: [i], value: \"lax(i) - x(i)\", limit: "
      "100 } }\n");
  ASSERT_EQ(found.size(), 8u);
  EXPECT_EQ(found[0].kind, Kind::nothing);
  EXPECT_EQ(found[1].kind, Kind::measured);
  EXPECT_NEAR(found[1].all, 0x1p-21, 0x1p-21 * 0.5);
  EXPECT_FALSE(found[1].zeros_pass);
  EXPECT_EQ(found[2].kind, Kind::exact);
  EXPECT_EQ(found[3].kind, Kind::exact);
  EXPECT_EQ(found[4].kind, Kind::all_zero);
  EXPECT_TRUE(found[4].zeros_pass);
  EXPECT_EQ(found[5].kind, Kind::measured);
  EXPECT_NEAR(found[5].all, 0x1p-7, 0x1p-7 * 0.01);
  EXPECT_EQ(found[6].kind, Kind::unlike);
  EXPECT_FALSE(found[6].zeros_pass);
  EXPECT_EQ(found[7].kind, Kind::unlike);
  EXPECT_TRUE(found[7].zeros_pass);
}

TEST(Sensitivity, CountsInWhichElementsAnErrorShows) {
  const auto found = sensed(
      "  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 4, growth: 3, accumulate: bf16 } }\n"
      "  tiny: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }\n"
      "  none: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }\n"
      "  whole: { role: output, dtype: i32, shape: [n] }\n",
      "reference:\n"
      "  near: { index: { i: n }, value: \"i == 3\" }\n"
      "  y: { index: [i], value: \"i == 4 ? 0.0 : i == 5 ? infinity : x(i)\", unless: near, any: \"i > 5\" "
      "}\n"
      "  tiny: { index: [i], value: \"ldexp(x(i), -140)\" }\n"
      "  none: { index: [i], value: \"log(-x(i))\" }\n"
      "  whole: { index: [i], value: \"i / 2\" }\n");
  EXPECT_EQ(found[1].elements, 8);
  EXPECT_EQ(found[1].any, 2);
  EXPECT_EQ(found[1].excused, 1);
  EXPECT_EQ(found[1].excuses_drawn, 8);
  EXPECT_EQ(found[1].telling, 3);
  EXPECT_NEAR(found[1].all, 3 * 0x1p-7, 1e-4);
  EXPECT_NEAR(found[1].scale_of_all, 0x1p-7, 0.1 * 0x1p-7) << "for growth 1";
  EXPECT_EQ(found[2].telling, 0) << "may be flushed";
  EXPECT_EQ(found[3].telling, 0);
  EXPECT_EQ(found[4].telling, 6);
}

TEST(Sensitivity, OfLimitsThatAdmitZeros) {  // differences of large numbers, in a format that is too coarse
  const auto found = sensed(
      "  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1, growth: 2, "
      "accumulate: bf16, scale: magnitude } }\n",
      "reference: { y: { index: [i], value: \"x(i) - x(0) + 1\" } }\n", "{ sequence: { first: 100000 } }");
  EXPECT_EQ(found[1].kind, Kind::measured);
  EXPECT_TRUE(found[1].zeros_pass);
  EXPECT_GT(found[1].all, 1);
}

}  // namespace
}  // namespace podium::judge
