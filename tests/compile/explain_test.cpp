// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Compilers' complaints about terms as sentences of the problem, from logs as g++ and NVRTC write them.
#include "suite/compile/explain.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/compile/term_errors.hpp"

namespace podium::compile {
namespace {

using testing::HasSubstr;
using testing::Not;

// A term as the generator writes it.
std::string term(const std::string& key, int line, const std::string& text,
                 const std::string& opening = "  return (", const std::string& closing = "  );") {
  const auto there = fmt::format("\n#line {} \"p.yaml#{}\"\n", line, key);
  return "auto f() {" + there + opening + there + text + there + closing +
         "\n#line 99 \"generated.cpp\"\n}\n";
}
std::string program() {
  return "// head\n" + term("reference.a.value", 9, "x(i) % 2.0") +
         term("reference.b.value", 10, "x(i) % 3.0 + a(i)") +
         term("reference.c.code", 12, "foo_t q = 3;\nq += bar;\nreturn q;",
              "  const auto podium_body = [&] {", "  }; return podium_body();") +
         term("reference.h.host", 15, "out(0) = 1;", "  {", "  }") +
         term("reference.y.value", 16, "b(i) + y2") + "// end\n";
}
std::string explained(const std::string& log, const std::vector<std::string>& more = {}) {
  std::size_t turn = 0;
  const auto compile = [&](const std::string&) { return turn < more.size() ? more[turn++] : std::string(); };
  return explain({"p.yaml", program(), log, {"x", "y3", "sin"}}, compile);
}

const std::string operands =
    "found % between a real number and a real number, expected whole numbers on both "
    "sides, as in i % 2";

TEST(Explain, EveryTermThatIsWrongByItself) {
  const std::string gnu =
      "p.yaml#reference.a.value: In function 'auto f()':\n"
      "p.yaml#reference.a.value:9:6: error: invalid operands of types 'double' and 'double' to binary "
      "'operator%'\n"
      "generated.cpp:17:112: error: template argument 1 is invalid\n"
      "p.yaml#reference.b.value:10:14: error: 'a' was not declared in this scope\n"
      "p.yaml#reference.y.value:16:14: error: 'b' was not declared in this scope\n";
  // b and y may only be wrong for the sake of what they call, until that is right.
  EXPECT_EQ(explained(gnu), "p.yaml:9: reference.a.value: " + operands);
  EXPECT_EQ(
      explained(gnu,
                {"p.yaml#reference.b.value:10:6: error: invalid operands of types 'double' and 'double' to "
                 "binary 'operator%'\np.yaml#reference.y.value:16:14: error: 'b' was not declared\n",
                 "p.yaml#reference.y.value:16:4: error: 'y2' was not declared in this scope\n"}),
      "p.yaml:9: reference.a.value: " + operands + "\np.yaml:10: reference.b.value: " + operands +
          "\np.yaml:16: reference.y.value: unknown name: found \"y2\", expected one of the problem's, a "
          "function of terms or a variable declared before (nearest: \"y3\")");
  EXPECT_EQ(
      explained(
          "p.yaml#reference.a.value(9): error: expression must have integral or unscoped enum type\n"
          "p.yaml#reference.a.value(9): error: no instance of function template \"podium::program::plain\" "
          "matches the argument list\n            argument types are: (<error-type>)\n"
          "p.yaml#reference.y.value(16): error: identifier \"y2\" is undefined\n"),
      "p.yaml:9: reference.a.value: found a real number where only a whole one can stand, expected whole "
      "numbers, as on both sides of %\n"
      "p.yaml:16: reference.y.value: unknown name: found \"y2\", expected one of the problem's, a function "
      "of "
      "terms or a variable declared before (nearest: \"y3\")");
}

TEST(Explain, EachWrongLineOfABodyOnce) {
  const std::string what = "expected one of the problem's, a function of terms or a variable declared before";
  // q is not declared because its line is wrong: that is no mistake of lines 13 and 14.
  EXPECT_EQ(explained("p.yaml#reference.c.code:12:1: error: 'foo_t' was not declared in this scope\n"
                      "p.yaml#reference.c.code:12:7: error: expected ';' before 'q'\n"
                      "p.yaml#reference.c.code:13:1: error: 'q' was not declared in this scope\n"
                      "p.yaml#reference.c.code:13:6: error: 'bar' was not declared in this scope\n"
                      "p.yaml#reference.c.code:14:8: error: 'q' was not declared in this scope\n"),
            "p.yaml:12: reference.c.code: unknown name: found \"foo_t\", " + what +
                "\np.yaml:13: reference.c.code: unknown name: found \"bar\", " + what);
}

TEST(Explain, AnErrorInAHeaderByTheTermThatLedThere) {
  EXPECT_EQ(
      explained("/p/divide.hpp: In instantiation of 'auto quotient(A) [with A = double]':\n"
                "p.yaml#reference.b.value:10:14:   required from here\n"
                "/p/divide.hpp:30:9: error: no match for 'operator/' (operand types are 'double' and "
                "'podium::program::TensorOf<float, 0, 13, podium::program::Axes<0> >')\n"),
      "p.yaml:10: reference.b.value: found / between a real number and an array without indices, expected "
      "numbers on both sides");
  EXPECT_EQ(
      explained(
          "/p/term.hpp(141): error: no instance of function template \"podium::program::plain\" matches "
          "the argument list\n          detected during:\n            instantiation of \"auto "
          "podium::program::min(T, U) [with T=double]\" at line 10 of p.yaml#reference.b.value\n"),
      "p.yaml:10: reference.b.value: found something that is not a number, expected a number");
  EXPECT_EQ(explained("generated.cpp:17:112: error: template argument 1 is invalid\n"), "");
}

TEST(Explain, TenAtMost) {
  std::string text = "// head\n", log;
  for (int k = 1; k <= 30; ++k) {
    text += term(fmt::format("reference.a{}.value", k), k, "x");
    log += fmt::format("p.yaml#reference.a{}.value:{}:1: error: stray '@' in program\n", k, k);
  }
  const auto sentences = explain({"p.yaml", text, log, {}}, [](const std::string&) { return std::string(); });
  EXPECT_EQ(std::count(sentences.begin(), sentences.end(), '\n'), 9);
}

TEST(Explain, WrongTermsAreReplacedByRightOnes) {
  const auto terms = terms_in(program(), "p.yaml");
  ASSERT_EQ(terms.size(), 5u);
  EXPECT_EQ(terms[2].key, "reference.c.code");
  EXPECT_EQ(terms[2].line, 12);
  const auto text =
      without_terms(program(), terms, {"reference.a.value", "reference.c.code", "reference.h.host"});
  EXPECT_THAT(
      text, HasSubstr("  return (\n#line 9 \"p.yaml#reference.a.value\"\npodium::program::i64(0)\n#line 9"));
  EXPECT_THAT(text,
              HasSubstr("\n#line 12 \"p.yaml#reference.c.code\"\nreturn podium::program::i64(0);\n#line 12"));
  EXPECT_THAT(text, HasSubstr("  {\n#line 15 \"p.yaml#reference.h.host\"\n;\n#line 15"));
  EXPECT_THAT(text, HasSubstr("x(i) % 3.0 + a(i)"));
  EXPECT_TRUE(text.ends_with("// end\n"));
  EXPECT_EQ(without_terms(program(), terms, {}), program());
}

TEST(InWords, OfBothCompilers) {
  const auto of = [](const std::string& what) { return in_words(what, {"x", "sin"}); };
  EXPECT_EQ(
      of("invalid operands of types 'const podium::program::i64' {aka 'const long long int'} and 'double' to "
         "binary 'operator%'"),
      "found % between a whole number and a real number, expected whole numbers on both sides, as in i % 2");
  EXPECT_EQ(of("invalid operands of types 'double' and 'int' to binary 'operator<<'"),
            "found << between a real number and a whole number, expected whole numbers on both sides");
  EXPECT_EQ(of("no match for 'operator%' (operand types are 'podium::program::Number' and 'double')"),
            operands);
  EXPECT_EQ(of("no operator \"%\" matches these operands"),
            "found % between operands that it does not take, expected whole numbers on both sides");
  const std::string index =
      "found a real number as an index, expected a whole one, as in x(i / 2) or x(i64(floor(v)))";
  EXPECT_EQ(of("use of deleted function 'podium::program::Coordinate::Coordinate(double)'"), index);
  EXPECT_EQ(
      of("function \"podium::program::Coordinate::Coordinate(double)\" (declared at line 28 of /p/index.hpp) "
         "cannot be referenced -- it is a deleted function"),
      index);
  const std::string sine = "found std::sin, expected sin; terms have functions of their own and no std";
  EXPECT_EQ(of("'sin' is not a member of 'std'; did you mean 'podium::program::sin'?"), sine);
  EXPECT_EQ(of("namespace \"std\" has no member \"sin\""), sine);
  EXPECT_EQ(of("'sine' is not a member of 'std'"),
            "found std::sine, expected none of std (nearest: \"sin\"); terms have functions of their own and "
            "no std");
  EXPECT_EQ(of("expected ',' or ';' before 'return'"), "found \"return\", expected \",\" or \";\" before it");
  EXPECT_EQ(of("expected primary-expression before ')' token"),
            "found \")\" or the end, expected an operand before it");
  EXPECT_EQ(of("expected a \")\""), "expected an operator or \")\"");
  EXPECT_EQ(
      of("inconsistent types 'int' and 'double' deduced for lambda return type"),
      "found a body that returns a whole number and a real number, expected one kind, as in return 1.0");
  EXPECT_EQ(
      of("deduced return type \"double\" conflicts with previously deduced type \"int\""),
      "found a body that returns a whole number and a real number, expected one kind, as in return 1.0");
  EXPECT_EQ(of("no matching function for call to 'exp(double, int)'"),
            "found exp with 2 arguments, expected 1");
  EXPECT_EQ(of("no match for call to '(const podium::program::CeilDiv) (int)'"),
            "found ceil_div with 1 argument, expected 2");
  EXPECT_EQ(of("no match for call to '(const podium::program::TensorOf<float, 0>) (int, int)'"),
            "found an element with 2 indices, expected one index for each axis");
  EXPECT_EQ(
      of("no match for call to '(podium_term_0(podium::program::Words, podium::program::i64)::<lambda()>::"
         "<lambda(podium::program::i64)>) (int, int)'"),
      "found a call of the body's function with 2 arguments, expected as many as it has parameters");
  EXPECT_EQ(of("no matching function for call to 'plain(podium::program::TensorOf<float, 0>)'"),
            "found an array without indices, expected a number");
  EXPECT_EQ(of("'sinn' was not declared in this scope; did you mean 'podium_sin'?"),
            "unknown name: found \"sinn\", expected one of the problem's, a function of terms or a variable "
            "declared "
            "before (nearest: \"sin\")");
  EXPECT_EQ(of("'totl' was not declared in this scope; did you mean 'total'?"),
            "unknown name: found \"totl\", expected one of the problem's, a function of terms or a variable "
            "declared "
            "before (nearest: \"total\")");
}

TEST(InWords, OfOverflows) {
  const std::string sentence =
      "found whole numbers whose result is beyond 32 bits, expected 64-bit ones, as in i64(65536) * 65536";
  for (const char* what : {"integer overflow in expression of type 'int' results in '0' [-Werror=overflow]",
                           "overflow in expression; result is 0 with type 'int' [-Werror,-Winteger-overflow]",
                           "integer operation result is out of range"})
    EXPECT_EQ(in_words(what, {}), sentence);
  const std::string shift =
      "found a shift by at least as many bits as the number has, expected fewer; i64(1) has 64";
  for (const char* what :
       {"left shift count >= width of type [-Werror=shift-count-overflow]", "shift count is too large"})
    EXPECT_EQ(in_words(what, {}), shift);
}

TEST(InWords, OfTheSuitesAssertionsIsTheirSentence) {
  const std::string sentence = "found a real number in ceil_div, expected whole ones";
  for (const std::string& what : {"static assertion failed: " + sentence,
                                  "static assertion failed due to requirement 'is_whole<A>': " + sentence,
                                  "static assertion failed with \"" + sentence + "\"",
                                  "static assertion failed: " + sentence + " [-Wx]"})
    EXPECT_EQ(in_words(what, {}), sentence);
}

TEST(InWords, NothingOfTheJudgesProgramIsLeft) {
  for (const char* what :
       {"cannot convert 'const podium::program::Index<3>' to 'podium::program::Words<1, 2>' in assignment",
        "no match for call to '(podium::program::TensorOf<float, 0, 13>) (int)'",
        "'podium_checked' was not expected",
        "request for member 'foo' in 'x.podium::program::TensorOf<float, "
        "0>::operator()(podium::program::Coordinate(((podium"
        "::program::i64)i)))', which is of non-class type 'double'"})
    EXPECT_THAT(in_words(what, {}), Not(HasSubstr("podium"))) << what;
  EXPECT_LT(in_words(std::string(100000, 'x'), {}).size(), 1100u);
  EXPECT_LT(in_words(std::string(100000, '<'), {}).size(), 1100u);
}

}  // namespace
}  // namespace podium::compile
