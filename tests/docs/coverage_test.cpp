// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Nothing of the format is left out of docs/problem.md: every key stands in a table and in an example that
// examples_test.cpp runs, and so does every word, dtype and function of the format's small languages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/problem/compute/compute.hpp"
#include "suite/problem/formula/fill_term.hpp"
#include "suite/problem/formula/formula.hpp"
#include "suite/problem/formula/term_names.hpp"
#include "suite/problem/parse/format.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "tests/docs/coverage.hpp"
#include "tests/docs/example.hpp"

namespace podium::docs {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;

const Document& document() {
  static const Document read = read_document("docs/problem.md");
  return read;
}

const Coverage& covered() {
  static const Coverage all = [] {
    Coverage coverage;
    for (const Example& example : examples_of(document()))
      if (!example.refused) coverage.add(example.yaml);
    // What needs an interpreter has its examples there, which python_test.cpp runs.
    for (const Block& block : read_document("docs/python_reference.md").blocks)
      if (block.language == "yaml") coverage.add(block.text);
    return coverage;
  }();
  return all;
}

// What of `expected` no example has.
std::vector<std::string> without_example(const std::vector<std::string>& expected,
                                         const std::set<std::string>& found) {
  std::vector<std::string> missing;
  for (const std::string& one : expected)
    if (!found.contains(one)) missing.push_back(one);
  return missing;
}

TEST(Coverage, EveryKeyHasAnExample) {
  std::vector<std::string> keys;
  for (const auto& form : problem::forms())
    for (const auto& key : form.keys) keys.push_back(form.name + "." + key.name);
  EXPECT_GT(keys.size(), 80u);
  EXPECT_THAT(without_example(keys, covered().keys), IsEmpty());
}

// A table for each form, whose first heading names it, and a row for each of its keys.
TEST(Coverage, EveryKeyStandsInTheTableOfItsForm) {
  for (const auto& form : problem::forms()) {
    std::vector<std::string> listed, keys;
    for (const Row& row : document().rows)
      if (row.heads.at(0) == "`" + form.name + "`") listed.push_back(row.cells.at(0));
    for (const auto& key : form.keys) keys.push_back("`" + key.name + "`");
    EXPECT_THAT(listed, UnorderedElementsAreArray(keys)) << "table of `" << form.name << "`";
  }
}

TEST(Coverage, EveryWordHasAnExample) {
  std::vector<std::string> words;
  for (const auto& list : problem::word_lists())
    for (const std::string& word : list.words) words.push_back(list.name + "." + word);
  for (const std::string& dtype : problem::dtype_names()) words.push_back("dtype." + dtype);
  EXPECT_THAT(without_example(words, covered().words), IsEmpty());
}

TEST(Coverage, EveryFunctionOfFormulasHasAnExample) {
  std::vector<std::string> all = problem::formula_functions();
  all.insert(all.end(), {"eps", "size", "infinity", "sum()", "max()", "min()", "+",  "-",  "*",  "/",
                         "%",   "==",   "!=",       "<",     "<=",    ">",     ">=", "&&", "||", "?"});
  EXPECT_THAT(without_example(all, covered().formulas), IsEmpty());
}

TEST(Coverage, EveryFunctionOfTermsHasAnExample) {
  std::vector<std::string> all{"infinity"};
  for (const auto& [name, arguments] : problem::term_functions()) all.push_back(name);
  EXPECT_THAT(without_example(all, covered().terms), IsEmpty());
}

TEST(Coverage, EveryFunctionOfFillsHasAnExample) {
  EXPECT_THAT(without_example(problem::fill_functions(), covered().fills), IsEmpty());
}

TEST(Coverage, EveryStatementAndFunctionOfStructureHasAnExample) {
  std::vector<std::string> all = problem::compute_functions();
  all.insert(all.end(), {"random.permutation",
                         "max()",
                         "min()",
                         "auto",
                         "for",
                         "while",
                         "if",
                         "else",
                         "break",
                         "continue",
                         "+=",
                         "-=",
                         "*=",
                         "[",
                         "{",
                         "?",
                         "+",
                         "-",
                         "*",
                         "/",
                         "%",
                         "!",
                         "==",
                         "!=",
                         "<",
                         "<=",
                         ">",
                         ">=",
                         "&&",
                         "||"});
  EXPECT_THAT(without_example(all, covered().compute), IsEmpty());
}

// What is refused as not there yet is said, and nothing else.
TEST(Coverage, WhatIsNotThereYetIsListed) {
  std::vector<std::string> later, listed;
  for (const auto& form : problem::forms())
    for (const std::string& key : form.later) later.push_back("`" + form.name + "." + key + "`");
  for (const Row& row : document().rows)
    if (row.heads.at(0) == "not there yet") listed.push_back(row.cells.at(0));
  EXPECT_THAT(listed, UnorderedElementsAreArray(later));
}

// That the walk itself sees what is there and nothing else.
TEST(Coverage, IsOfWhatAProblemSays) {
  Coverage coverage;
  coverage.add(R"y(podium: 1
types: { real: [f32] }
structure: { length: { dtype: i32, shape: [], compute: "out() = random.below(3); if (1 > 0) out() += 2;" } }
tensors:
  x: { role: input, dtype: real, shape: ["ceil_div(n, 2)"], fill: { index: [i], value: "floor(random(0))" } }
  y: { role: output, dtype: u8, shape: [], tolerance: { ulp: "sum(length)" } }
reference: { y: { index: [], reduce: { over: { j: [0, n], k: { high: 3 } }, op: max, term: "tanh(x(j))" } } }
)y");
  EXPECT_THAT(coverage.keys, Contains("tolerance.ulp"));
  EXPECT_THAT(coverage.keys, Contains("range_map.high"));
  EXPECT_THAT(coverage.keys, Contains("value_fill.value"));
  EXPECT_EQ(coverage.keys.count("tolerance.growth"), 0u);
  EXPECT_EQ(coverage.keys.count("fill.value"), 0u);
  EXPECT_THAT(coverage.words, UnorderedElementsAreArray({"role.input", "role.output", "dtype.u8", "dtype.f32",
                                                         "structure_dtype.i32", "op.max"}));
  EXPECT_THAT(coverage.formulas, Contains("ceil_div"));
  EXPECT_THAT(coverage.formulas, Contains("sum()"));
  EXPECT_EQ(coverage.formulas.count("tanh"), 0u);
  EXPECT_THAT(coverage.terms, Contains("tanh"));
  EXPECT_THAT(coverage.fills, Contains("floor"));
  EXPECT_EQ(coverage.fills.count("tanh"), 0u);
  EXPECT_THAT(coverage.compute, Contains("random.below"));
  EXPECT_THAT(coverage.compute, Contains("+="));
  EXPECT_EQ(coverage.compute.count("while"), 0u);
}

}  // namespace
}  // namespace podium::docs
