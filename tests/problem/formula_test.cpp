// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Formulas: values by hand, what is refused and how.
#include "suite/problem/formula/formula.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "suite/base/error.hpp"

namespace podium::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Scope scope{{{"rows", 7}, {"cols", 1023}, {"k", 4096}, {"scale", 0.5}, {"none", 0}},
                  {{"real", Dtype::bf16}, {"count", Dtype::i64}}};

double value(const std::string& formula) { return evaluate(formula, scope); }

std::string refusal(const std::string& formula) {
  try {
    return "accepted as " + std::to_string(evaluate(formula, scope));
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Formula, Arithmetic) {
  EXPECT_EQ(value("5 * rows * cols"), 35805);
  EXPECT_EQ(value("rows - cols"), -1016);
  EXPECT_EQ(value("1 / 2"), 0.5);  // real, not C++'s
  EXPECT_EQ(value("-rows"), -7);
  EXPECT_EQ(value("2 - -rows"), 9);
  EXPECT_EQ(value("2 * (3 + 4) * 5"), 70);
  EXPECT_EQ(value("1e3 + .5"), 1000.5);
  EXPECT_EQ(value("rows"), 7);
  EXPECT_EQ(value("12"), 12);
}

TEST(Formula, ComparisonsAndChoice) {
  EXPECT_EQ(value("rows > 0 && cols != 0"), 1);
  EXPECT_EQ(value("0.5 && 0.5"), 1);  // any number but 0 is true
  EXPECT_EQ(value("3 - -2"), 5);
  EXPECT_EQ(value("rows < 0 || cols == 0"), 0);
  EXPECT_EQ(value("rows >= 7 ? 10 : 20"), 10);
  EXPECT_EQ(value("rows <= 6 ? 10 : 20"), 20);
}

TEST(Formula, Functions) {
  EXPECT_DOUBLE_EQ(value("log(exp(1))"), 1);  // natural
  EXPECT_EQ(value("log2(k)"), 12);
  EXPECT_EQ(value("sqrt(k)"), 64);
  EXPECT_EQ(value("pow(2, 10)"), 1024);
  EXPECT_DOUBLE_EQ(value("tanh(scale)"), std::tanh(0.5));
  EXPECT_DOUBLE_EQ(value("erf(scale)"), std::erf(0.5));
  EXPECT_EQ(value("abs(rows - cols)"), 1016);
  EXPECT_EQ(value("min(rows, cols, 3)"), 3);
  EXPECT_EQ(value("max(rows, cols)"), 1023);
  EXPECT_EQ(value("floor(rows / 2)"), 3);
  EXPECT_EQ(value("ceil(rows / 2)"), 4);
  EXPECT_EQ(value("ceil_div(cols, 4)"), 256);
  EXPECT_EQ(value("ldexp(3, 4)"), 48);
  EXPECT_EQ(value("min(1, infinity)"), 1);
}

TEST(Formula, Dtypes) {
  EXPECT_EQ(value("eps(f16)"), std::ldexp(1, -10));
  EXPECT_EQ(value("eps(real)"), std::ldexp(1, -7));
  EXPECT_EQ(value("size(real) * rows + size(f64)"), 22);
  EXPECT_THAT(refusal("eps(count)"), HasSubstr("count is exact"));
  EXPECT_THAT(refusal("eps(f61)"), HasSubstr("(nearest: \"f64\")"));
  EXPECT_THAT(refusal("eps f16"), HasSubstr("eps of one dtype, as in eps(f32)"));
  EXPECT_THAT(refusal("size("), HasSubstr("size of one dtype"));
}

// Against C++'s own, both signs, every divisor.
TEST(Formula, RemainderIsCxxs) {
  for (int a = -9; a <= 9; ++a)
    for (int b = -5; b <= 5; ++b) {
      const Scope two{{{"a", a}, {"b", b}}, {}};
      if (b != 0) {
        EXPECT_EQ(evaluate("a % b", two), a % b) << a << " % " << b;
      } else {
        EXPECT_THROW(evaluate("a % b", two), Error) << a;
      }
    }
  EXPECT_EQ(value("9007199254740991 % 4194304"), 9007199254740991 % 4194304);
  EXPECT_EQ(value("20 % 12 % 5"), 3);  // from the left
  EXPECT_EQ(value("2 * 7 % 4"), 2);    // as tight as *
  EXPECT_EQ(value("3 + 7 % 4 * 10"), 33);
  EXPECT_EQ(value("-7 % 4"), -3);
  EXPECT_EQ(value("k % 4 == 0 && rows % 2 == 1"), 1);
}

TEST(Formula, RemainderOfWholeNumbersOnly) {
  EXPECT_EQ(refusal("1 + rows % none"),
            "in \"1 + rows % none\" found 7 % 0, expected whole numbers and a divisor other than 0");
  EXPECT_THAT(refusal("rows % scale"), HasSubstr("found 7 % 0.5, expected whole numbers"));
  EXPECT_THAT(refusal("rows / 2 % 3"), HasSubstr("found 3.5 % 3, expected whole numbers"));
  EXPECT_THAT(refusal("rows % infinity"), HasSubstr("found 7 % inf, expected"));
  EXPECT_THAT(refusal("7 % 0"), HasSubstr("found 7 % 0, expected"));
  EXPECT_THAT(refusal("min(rows % none, 3) * 0"), HasSubstr("found 7 % 0, expected"));
  EXPECT_THAT(refusal("rows % none != 0"), HasSubstr("found 7 % 0, expected"));  // not lost in a comparison
  EXPECT_EQ(value("none == 0 ? 5 : rows % none"), 5);                            // a branch that is not taken
  EXPECT_EQ(value("rows % 4"), 3);  // nothing is left of what was refused
  Scope trial = scope;
  trial.trial = true;
  EXPECT_NO_THROW(evaluate("rows % none", trial));
  EXPECT_THROW(evaluate("rows % none +", trial), Error);
}

TEST(Formula, DivisionByZeroIsInfinite) {
  EXPECT_EQ(value("1 / none"), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(value("none / none")));
  EXPECT_EQ(value("min(2, 1024 / sqrt(none))"), 2);
}

TEST(Formula, Refusals) {
  EXPECT_THAT(
      refusal("row * 2"),
      HasSubstr(
          "in \"row * 2\" found \"row\", expected one of cols, k, none, rows, scale (nearest: \"rows\")"));
  EXPECT_THAT(refusal("sqr(rows)"), HasSubstr("unknown function: found \"sqr\""));
  EXPECT_THAT(refusal("sqr(rows)"), HasSubstr("(nearest: \"sqrt\")"));
  EXPECT_THAT(refusal("rows ^ 2"), HasSubstr("pow(a, b) in place of \"^\""));
  EXPECT_THAT(refusal("rows = 2"), HasSubstr("\"==\" in place of \"=\""));
  EXPECT_THAT(refusal("rows & 2"), HasSubstr("no \"&\"; there are + - * / % ("));
  EXPECT_THAT(refusal("1, 2"), HasSubstr("one number, not several"));
  EXPECT_THAT(refusal("(1, 2)"), HasSubstr("one number, not several"));
  for (const char* formula : {"0 < rows < 2", "0 == rows < 2", "(1 < 2 != 0) + 1", "max(rows, 1 < 2 < 3)"})
    EXPECT_THAT(refusal(formula), HasSubstr("comparisons one by one, as in a < b && b < c")) << formula;
  EXPECT_THAT(refusal("0x10"), HasSubstr("a decimal number"));
  EXPECT_THAT(refusal("10k"), HasSubstr("a decimal number in place of \"10k\""));
  EXPECT_THAT(refusal("'a'"), HasSubstr("numbers, not text"));
  EXPECT_THAT(refusal("  "), HasSubstr("expected a formula"));
  EXPECT_THAT(refusal("sqrt"), HasSubstr("found \"sqrt\""));
  for (const char* formula : {"rows *", "* rows", "(rows", "rows)", "rows cols", "2 rows", "min()",
                              "sqrt(1, 2)", "pow(2)", "rows ? 1", "()", "1 +* 2"})
    EXPECT_THAT(refusal(formula), HasSubstr("expected operators between numbers")) << formula;
  EXPECT_THAT(refusal(std::string(900, '(') + "1" + std::string(900, ')')),
              HasSubstr("parentheses at most 32 deep"));
  EXPECT_THAT(refusal(std::string(5000, '1')), HasSubstr("at most 2000 characters"));
}

TEST(Formula, NamesUsed) {
  EXPECT_THAT(names_in("2 * rows + min(cols, rows) * size(real) + infinity"), ElementsAre("rows", "cols"));
  EXPECT_THAT(names_in("3"), ElementsAre());
  EXPECT_THAT(names_in("eps("), ElementsAre());
}

}  // namespace
}  // namespace podium::problem
