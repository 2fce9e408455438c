// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The table of languages: the longest suffix counts, and rows hold what their readers rely on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "suite/compile/languages/language.hpp"

namespace podium::compile {
namespace {

using testing::ElementsAre;

TEST(Languages, TheLongestSuffixCounts) {
  EXPECT_EQ(language_of("a.cpp")->name, "native");
  EXPECT_EQ(language_of("a.gpu.cpp")->name, "portable");
  EXPECT_EQ(language_of("a.sealed.gpu.cpp")->sealed, SealedForm::source);
  EXPECT_EQ(language_of("a.sealed.py")->sealed, SealedForm::python);
  EXPECT_EQ(language_of("a.py")->name, "python");
  EXPECT_EQ(language_of("a.yaml"), nullptr);
  EXPECT_EQ(language_of(".cpp"), nullptr) << "a name comes before the suffix";
}

TEST(Languages, BackendsAreThoseOfTheSuffix) {
  EXPECT_THAT(backends_of(*language_of("a.gpu.cpp")), ElementsAre("host", "cuda", "hip"));
  EXPECT_THAT(backends_of(*language_of("a.cu")), ElementsAre("cuda"));
  EXPECT_THAT(backends_of(*language_of("a.cpp")), ElementsAre("host"));
  EXPECT_THAT(backends_of(*language_of("a.py")), ElementsAre("host", "cuda"));
  EXPECT_THAT(backends_of(*language_of("a.sealed.py")), ElementsAre("cuda", "hip"));
  EXPECT_TRUE(of_one_vendor(*language_of("a.hip")));
  EXPECT_FALSE(of_one_vendor(*language_of("a.cpp")));
}

TEST(Languages, RowsAreWhole) {
  for (const auto& one : languages()) {
    EXPECT_TRUE(one.suffix.starts_with('.') && one.runs_on) << one.name;
    EXPECT_EQ(one.suffix.starts_with(".sealed"), one.sealed.has_value()) << one.suffix;
    const auto same = with_suffix_of(one);
    for (const Language* other : same)
      EXPECT_EQ(other->among_needs, same.size() > 1) << one.suffix << ": `needs` must tell them apart";
    if (one.sealed != SealedForm::python) continue;
    ASSERT_TRUE(one.python.array) << one.name;
    EXPECT_EQ(one.python.options.empty(), !one.python.no_options.empty()) << one.name;
    EXPECT_EQ(one.python.array({.array = true, .dtype = problem::Dtype::f32}, "x")["array"], "f32");
  }
}

}  // namespace
}  // namespace podium::compile
