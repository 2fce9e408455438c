// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/formula/term_rewriting.hpp"

#include <gtest/gtest.h>

namespace podium::problem {
namespace {

TEST(CountedBody, DeclaresNumbers) {
  EXPECT_EQ(with_counted_reals("double a = 0, b[2] = {};"), "podium::program::Number a = 0, b[2] = {};");
  EXPECT_EQ(with_counted_reals("const double* p; double& r = a;"),
            "const podium::program::Number* p; podium::program::Number& r = a;");
  EXPECT_EQ(with_counted_reals("[](double x) -> double {"),
            "[](podium::program::Number x) -> podium::program::Number {");
}

TEST(CountedBody, LeavesConversionsConstantsAndText) {
  for (const char* body : {"double(x) + static_cast<double>(y)", "constexpr double half = 0.5;",
                           "static const double half = 0.5;", "long double x = 1;", "// double x\n",
                           "sizeof(double)", "\"double x\"", "double", "undouble x", ""})
    EXPECT_EQ(with_counted_reals(body), body);
}

TEST(CountedBody, CountsWhatIsReturned) {
  EXPECT_EQ(with_counted_reals("if (a) return 0.0;\nreturn f(x) ? a : b;"),
            "if (a) return podium::program::counted(0.0);\nreturn podium::program::counted(f(x) ? a : b);");
  EXPECT_EQ(with_counted_reals("return [&] { return 1.0; }();"),
            "return podium::program::counted([&] { return podium::program::counted(1.0); }());");
  for (const char* body : {"return;", "return {1, 2};", "return a", "[] { return a }", "returned(a);"})
    EXPECT_EQ(with_counted_reals(body), body);
}

}  // namespace
}  // namespace podium::problem
