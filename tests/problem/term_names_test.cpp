// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What terms may name: nothing that compiles is refused for its spelling.
#include "suite/problem/formula/term_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace podium::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const TermNames names{{"i", "n"}, {"x", "offsets", "peak"}};

TEST(TermNames, WhatCompilesIsNotRefused) {
  for (const char* term :
       {"x(i)", "2 * x(i) + 0x1p-3 - 1e-3f", "i % 2 == 0 ? x(i) : -infinity", "segment(offsets, i)",
        "double(i) / n", "static_cast<double>(i)", "i64(floor(x(i)))", "u64(i) << 3 ^ 1", "x.initial(i)",
        "peak.reference(i)", "podium::program::absolute(x(i))", "__builtin_popcountll(u64(i))", "'a' + i",
        "[&] { i64 k = 0; return k; }()", "double v = x(i); return v * v;", "true && !false",
        "min(x(i), max(1, i))", "x(i) /* q */ + 1  // and r"})
    EXPECT_THAT(faults_of_term(term, names), IsEmpty()) << term;
}

TEST(TermNames, SlipsAreSentencesEachOnce) {
  EXPECT_THAT(faults_of_term("y(i) + y(i)", names), ElementsAre(HasSubstr("unknown function: found \"y\"")));
  EXPECT_THAT(faults_of_term("q + q", names), ElementsAre(HasSubstr("unknown name: found \"q\"")));
  EXPECT_THAT(faults_of_term("x + offsets(i)", names), ElementsAre(HasSubstr("found x without indices")));
  EXPECT_THAT(faults_of_term("pow(x(i))", names), ElementsAre("found pow with 1 argument, expected 2"));
  EXPECT_THAT(faults_of_term("(x(i)]", names),
              ElementsAre(HasSubstr("found \"]\" without an opening \"[\"")));
  EXPECT_THAT(faults_of_term("x(i) \\", names), ElementsAre(HasSubstr("found \"\\\" at the end")));
  EXPECT_THAT(faults_of_term(std::string(128, '(') + "1" + std::string(128, ')'), names), IsEmpty());
  EXPECT_THAT(faults_of_term(std::string(200, '(') + "1" + std::string(200, ')'), names),
              ElementsAre("found brackets more than 128 deep, expected fewer"));
  EXPECT_THAT(faults_of_term("return x(i", names),
              ElementsAre(HasSubstr("found a \"(\" that is not closed")));
}

// A problem's own name goes before a function's.
TEST(TermNames, AnArrayMayHaveAFunctionsArguments) {
  EXPECT_THAT(faults_of_term("peak(i, n, 3)", names), IsEmpty());  // its rank is counted elsewhere
}

}  // namespace
}  // namespace podium::problem
