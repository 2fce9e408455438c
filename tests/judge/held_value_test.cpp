// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Numbers of a reference that an integer output cannot hold: nobody could be right, and the problem is told.
#include "tests/judge/forms.hpp"

namespace podium::judge {
namespace {

using testing::HasSubstr;

std::string expecting(const std::string& dtype, const std::string& term, const std::string& n = "4") {
  return problem_of(
      "tensors:\n  x: { role: input, dtype: i32, shape: [n], fill: sequence }\n  y: { role: output, dtype: " +
          dtype + ", shape: [n] }\nreference:\n  even: { index: { i: n }, value: \"i % 2 == 0\" }\n" +
          "  y: { index: [i], " + term + " }\n",
      "{ m: 1, n: " + n + " }");
}
std::string value(const std::string& term) { return "value: \"" + term + "\""; }

TEST(HeldValue, IsWholeAndInRange) {
  struct Case {
    const char *dtype, *term, *found, *expected;
  };
  const Case cases[] = {// `term` for y[2], which alone is not held; for the others 1
                        {"i32", "0.5", "0.5", "i32 holds: whole numbers from -2147483648 to 2147483647"},
                        {"i8", "138 + x(i)", "140", "i8 holds: whole numbers from -128 to 127"},
                        {"i8", "-129.0", "-129", "i8 holds: whole numbers from -128 to 127"},
                        {"i16", "-32769", "-32769", "i16 holds: whole numbers from -32768 to 32767"},
                        {"u8", "-1", "-1", "u8 holds: whole numbers from 0 to 255"},
                        {"u16", "65534 + x(i)", "65536", "u16 holds: whole numbers from 0 to 65535"},
                        {"bool", "x(i)", "2", "bool holds: 0 or 1"},
                        {"u64", "-2.0", "-2", "u64 holds: whole numbers from 0 to 18446744073709551615"},
                        {"u64", "-x(i)", "-2", "u64 holds"},
                        {"u64", "18446744073709551616.0", "1.84467441e+19", "from 0 to 18446744073709551615"},
                        {"i64", "9223372036854775808.0", "9.22337204e+18",
                         "i64 holds: whole numbers from -9223372036854775808 to 9223372036854775807"},
                        {"i64", "u64(1) << 63", "9223372036854775808", "i64 holds"},
                        {"u32", "sqrt(-1.0)", "nan", "u32 holds: whole numbers from 0 to 4294967295"},
                        {"u32", "4294967296", "4294967296", "u32 holds"},
                        {"i32", "-infinity", "-inf", "i32 holds"}};
  for (const Case& one : cases)
    for (const bool full : {true, false}) {
      SCOPED_TRACE(std::string(one.dtype) + ": " + one.term);
      const std::string fault =
          fault_of(expecting(one.dtype, value("i == 2 ? " + std::string(one.term) + " : 1")), full);
      EXPECT_THAT(fault, HasSubstr(std::string(":9: found reference y to expect ") + one.found +
                                   " of y[2] in workload m=1,n=4, expected what "));
      EXPECT_THAT(fault, HasSubstr(one.expected));
    }
}

TEST(HeldValue, MayBeAnyThatTheDtypeHolds) {
  const std::pair<const char*, const char*> terms[] = {{"i8", "i % 2 == 0 ? -128 : 127"},
                                                       {"u8", "255 * (i % 2)"},
                                                       {"bool", "i % 2 == 0"},
                                                       {"i16", "i % 2 == 0 ? -32768.0 : 32767.0"},
                                                       {"u16", "65535.0"},
                                                       {"i32", "i % 2 == 0 ? -2147483648.0 : 2147483647.0"},
                                                       {"u32", "4294967295"},
                                                       {"i64", "-9223372036854775807 - 1"},
                                                       {"i64", "-9223372036854775808.0"},
                                                       {"u64", "u64(0) - 1"},
                                                       {"u64", "18446744073709549568.0"}};
  for (const auto& [dtype, term] : terms)
    EXPECT_EQ(fault_of(expecting(dtype, value(term))), "no error") << dtype << ": " << term;
}

TEST(HeldValue, ComesFromAnyForm) {
  EXPECT_THAT(fault_of(expecting("i8", "scan: { along: i, op: sum, term: \"22 * x(i)\" }")),
              HasSubstr("to expect 132 of y[3]"));
  EXPECT_THAT(fault_of(expecting("i32", "reduce: { over: { k: [i, 3] }, op: max, term: \"x(k) / 1.0\" }")),
              HasSubstr("to expect -inf of y[3]"));
  EXPECT_THAT(fault_of(expecting("u8", "code: \"return i == 1 ? -0.25 : 1;\"")),
              HasSubstr("to expect -0.25 of y[1]"));
}

TEST(HeldValue, OfWhatIsExcusedMayBeAnything) {
  const std::string term = "value: \"i == 7 ? 0.5 : 1\"";
  std::string excused = expecting("i32", term + ", unless: even", "40");
  excused.replace(excused.find("i % 2 == 0"), 10, "i == 7");
  EXPECT_EQ(fault_of(excused), "no error");
  EXPECT_THAT(fault_of(expecting("i32", term, "40")), HasSubstr("to expect 0.5 of y[7]"));
}

TEST(HeldValue, IsLookedForOnGpusAsWell) {
  Judged j(expecting("i8", value("300 + x(i)")), true, 0, 0, true);
  j.evaluator.fill(forms_seed);
  EXPECT_THROW(j.evaluator.verify(forms_seed, forms_poison), Error);
}

}  // namespace
}  // namespace podium::judge
