// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Verdicts and their words: one table, and no code that compares words.
#include "suite/base/verdict.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/paths.hpp"

namespace podium {
namespace {

std::vector<Verdict> all_verdicts() {
  std::vector<Verdict> all;
  for (int number = 0; number <= static_cast<int>(Verdict::no_verdict); ++number)
    all.push_back(static_cast<Verdict>(number));
  return all;
}

TEST(Verdict, EachHasAWordOfItsOwn) {
  std::set<std::string_view> words;
  for (const Verdict verdict : all_verdicts()) {
    EXPECT_TRUE(words.insert(word_of(verdict)).second) << word_of(verdict);
    EXPECT_EQ(verdict_of(word_of(verdict)), verdict) << word_of(verdict);
  }
  EXPECT_FALSE(verdict_of("disqualified"));
}

// Lines of `text` that compare something with a verdict's word, or search one in a text.
std::vector<std::string> comparisons_in(const std::string& text) {
  std::string words;
  for (const Verdict verdict : all_verdicts())
    if (verdict != Verdict::none) words += fmt::format("{}{}", words.empty() ? "" : "|", word_of(verdict));
  const std::regex compares("(==|!=) *\"(" + words + ")\"|\"(" + words +
                            ")\" *(==|!=)|(find|contains|starts_with|ends_with)\\(\"((" + words +
                            ")\"|exited with status|crashed: )");
  std::vector<std::string> found;
  for (auto match = std::sregex_iterator(text.begin(), text.end(), compares); match != std::sregex_iterator();
       ++match)
    found.push_back(match->str());
  return found;
}

TEST(Verdict, AComparisonOfWordsIsFound) {
  EXPECT_THAT(comparisons_in("if (entry.verdict == \"not supported\") return;"), testing::SizeIs(1));
  EXPECT_THAT(comparisons_in("if (\"crashed\" != verdict) return;"), testing::SizeIs(1));
  EXPECT_THAT(comparisons_in("e.what().find(\"exited with status 127\")"), testing::SizeIs(1));
  EXPECT_THAT(comparisons_in("if (entry.verdict == Verdict::unsupported) put(\"not supported\");"),
              testing::IsEmpty());
}

TEST(Verdict, NoCodeComparesWords) {
  int files = 0;
  for (const char* folder : {"suite", "backends"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(test::source_dir()) / folder)) {
      const auto extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".hpp") continue;
      std::ifstream stream(entry.path());
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      EXPECT_THAT(comparisons_in(text), testing::IsEmpty())
          << entry.path().string() << ": compare with a Verdict of suite/base/verdict.hpp instead";
      ++files;
    }
  EXPECT_GT(files, 100);
}

}  // namespace
}  // namespace podium
