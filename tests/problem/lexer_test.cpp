// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Calls in C++ terms: names, numbers of arguments; comments and literals do not count.
#include "suite/problem/formula/lexer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace podium::problem {
namespace {

using testing::ElementsAre;

std::vector<std::string> called(const std::string& term) {
  std::vector<std::string> found;
  for (const Call& call : calls(tokenise(term)))
    found.push_back(call.name + "/" + std::to_string(call.arguments));
  return found;
}

TEST(Lexer, Calls) {
  EXPECT_THAT(called("exp(x(i, j) - peak(i)) / total()"), ElementsAre("exp/1", "x/2", "peak/1", "total/0"));
  EXPECT_THAT(called("x((i, j), a[k, l], f{1, 2})"), ElementsAre("x/3"));
  EXPECT_THAT(called("x /* y(1) */ (i) // z(2)\n + w(3)"), ElementsAre("x/1", "w/1"));
  EXPECT_THAT(called("x(\"a, (\", 'b', '\\'')"), ElementsAre("x/3"));
  EXPECT_THAT(called("1.5e-3f * x(i)"), ElementsAre("x/1"));
  EXPECT_THAT(called("1'000 * x(i) + 2'000 * y(i)"), ElementsAre("x/1", "y/1"));
}

TEST(Lexer, NeverFails) {
  for (const char* term : {"", "(", ")", "x(", "x(,", "\"", "'\\", "/*", "/", "}]", "x(]", "1e", ".."})
    called(term);
  EXPECT_THAT(called("x(]"), ElementsAre("x/0"));
  EXPECT_EQ(tokenise("1e-3f").size(), 1u);
  EXPECT_EQ(tokenise("a-3").size(), 3u);
  EXPECT_EQ(tokenise("1'000'0 + 0x1'f").size(), 3u);
  EXPECT_EQ(tokenise("1' '").size(), 2u);
}

}  // namespace
}  // namespace podium::problem
