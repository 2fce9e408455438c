// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Integer division in terms: what C++ says where it says anything, and a sentence where it does not.
#include <cmath>
#include <limits>

#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string dividing(const std::string& term, const std::string& form = "value") {
  return problem_of(
      "tensors:\n"
      "  z: { role: input, dtype: i32, shape: [n], fill: zeros }\n"
      "  x: { role: input, dtype: i64, shape: [n], fill: { sequence: { first: -7, step: 3 } } }\n"
      "  y: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 0 } }\n"
      "reference:\n  y: { index: [i], " +
          form + ": \"" + term + "\" }\n",
      "{ m: 1, n: 5 }");
}

TEST(Division, IsThatOfCpp) {
  const std::pair<const char*, double (*)(std::int64_t, std::int64_t)> terms[] = {
      {"x(i) / 2 * 2 - x(i) % 3", [](auto x, auto) { return double(x / 2 * 2 - x % 3); }},
      {"100 / (i + 1) % 7 - -x(i) / (i + 2) / 2",
       [](auto x, auto i) { return double(100 / (i + 1) % 7 - -x / (i + 2) / 2); }},
      {"x(i) / 2.0 + 1.5 / (i + 1)", [](auto x, auto i) { return x / 2.0 + 1.5 / double(i + 1); }},
      {"1 + x(i) * x(i) / (i - 7) * 3", [](auto x, auto i) { return double(1 + x * x / (i - 7) * 3); }},
      {"i / (x(i) > 0 ? 1 : 2) + (double)x(i) / (i + 1)",
       [](auto x, auto i) { return double(i / (x > 0 ? 1 : 2)) + double(x) / double(i + 1); }},
      {"ceil_div(x(i) + 20, i + 3) /* a / 0 */",
       [](auto x, auto i) { return double((x + 20 + i + 3 - 1) / (i + 3)); }},
      {"ceil_div(x(i), 3) + 100 * ceil_div(x(i), -2)",
       [](auto x, auto) { return std::ceil(double(x) / 3) + 100 * std::ceil(double(x) / -2); }},
      {"ceil_div(-9223372036854775807 - 1, i < 2 ? 1 : -2)",
       [](auto, auto i) { return i < 2 ? -0x1p63 : 0x1p62; }},
      {"(-9223372036854775807 - 1) / (z(i) - 1)", [](auto, auto) { return -0x1p63; }},
      {"(-9223372036854775807 - 1) % (z(i) - 1)", [](auto, auto) { return 0.0; }},
      {"0.5 / z(i)", [](auto, auto) { return std::numeric_limits<double>::infinity(); }}};
  for (const auto& [term, value] : terms) {
    SCOPED_TRACE(term);
    agrees(dividing(term), true, 2, [&, value = value](Judged& judged) {
      for (std::int64_t i = 0; i < 5; ++i) judged.data<double>("y")[i] = value(-7 + 3 * i, i);
    });
  }
  agrees(dividing("i64 v = x(i); v /= i + 2; v %= i < 3 ? 2 : 5; double h = 1; h /= i + 1; return v + h;",
                  "code"),
         true, 2, [](Judged& judged) {
           for (std::int64_t i = 0; i < 5; ++i)
             judged.data<double>("y")[i] =
                 double((-7 + 3 * i) / (i + 2) % (i < 3 ? 2 : 5)) + 1.0 / double(i + 1);
         });
}

TEST(Division, OfIntegersByZeroIsTheProblemsFault) {
  for (const std::string term : {"5 / z(i)", "5 % z(i)", "5 / 0", "ceil_div(5, i - 2)", "5 / (i - 4)"})
    EXPECT_THAT(fault_of(dividing(term)),
                AllOf(HasSubstr("kernels/trial/problem.yaml:9: found reference y to divide "),
                      HasSubstr(" by 0 in workload m=1,n=5, expected another divisor")))
        << term;
  EXPECT_THAT(fault_of(dividing("i64 v = 5; v /= z(i); return v;", "code")), HasSubstr("to divide 5 by 0"));
  EXPECT_EQ(fault_of(dividing("z(i) / 5 + 5.0 / z(i)")), "no error");
}

std::string filled(const std::string& term, const std::string& other) {
  return problem_of(
      "tensors:\n"
      "  z: { role: input, dtype: i32, shape: [n], fill: zeros }\n"
      "  x: { role: input, dtype: f64, shape: [n], fill: { index: [i], value: \"" +
          term +
          "\" } }\n"
          "  y: { role: output, dtype: f64, shape: [n], tolerance: { ulp: 0 } }\n"
          "reference: { y: { index: [i], value: \"x(i)\" } }\n",
      "{ m: 1, n: 5, name: one" + other + " }");
}

TEST(Division, OfAFillIsThatOfCpp) {
  agrees(filled("(7 - 3 * i) / (i + 1) + (i - 9) % n + ceil_div(i - 4, n - 8) + i / 2.0", ""), true, 2,
         [](Judged& judged) {
           for (int i = 0; i < 5; ++i)
             judged.data<double>("y")[i] =
                 (7 - 3 * i) / (i + 1) + (i - 9) % 5 + std::ceil((i - 4) / -3.0) + i / 2.0;
         });
}

TEST(Division, OfAFillByZeroIsTheProblemsFault) {
  for (const std::string term : {"10 / (i - 2)", "10 % (n - 5)", "ceil_div(10, i - 4)", "10 / 0"})
    EXPECT_THAT(
        fault_of(filled(term, "")),
        AllOf(HasSubstr("kernels/trial/problem.yaml:6: found the fill of x to divide 10 by 0 in workload "
                        "one, expected another divisor")))
        << term;
  EXPECT_THAT(fault_of(filled("i + 1", ",\nfill: { x: { index: [i], value: \"1 / i\" } }")),
              HasSubstr(":10: found the fill of x to divide 1 by 0"));
}

}  // namespace
}  // namespace podium::judge
