// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// docs/trust.md: its table of ways to cheat and the files of tests/cheats name the same.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "tests/docs/blocks.hpp"
#include "tests/paths.hpp"

namespace podium::docs {
namespace {

namespace fs = std::filesystem;
using Classes = std::map<std::string, std::set<std::string>>;  // names of contestants, by class

Classes in_the_table() {
  static const std::regex name("`([^`]+)`");
  Classes all;
  for (const Row& row : read_document("docs/trust.md").rows) {
    if (row.section != "Ways to cheat") continue;
    const std::string& tests = row.cells.at(2);
    auto& names = all[row.cells.at(0)];
    for (std::sregex_iterator found(tests.begin(), tests.end(), name), end; found != end; ++found)
      names.insert((*found)[1]);
  }
  return all;
}

Classes in_the_files() {
  static const std::regex mark("(?://|#) class: (.+)");
  Classes all;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(test::source_dir()) / "tests/cheats")) {
    const std::string file = entry.path().filename();
    std::ifstream in(entry.path());
    std::smatch found;
    for (std::string line; std::getline(in, line);)
      if (std::regex_match(line, found, mark)) all[found[1]].insert(file.substr(0, file.find('.')));
  }
  return all;
}

TEST(Cheats, OfTheTableAreThoseOfTheFiles) { EXPECT_EQ(in_the_table(), in_the_files()); }

// What its verdict must be, or which test says so.
TEST(Cheats, EachSaysWhatItMustGet) {
  static const std::regex expects("(?://|#) expect: .+"),
      tested("// Expected: .*tests/end_to_end/together_test.cpp.*");
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(test::source_dir()) / "tests/cheats")) {
    const bool helper = entry.path().extension() == ".hpp" || entry.path().extension() == ".yaml";
    const bool honest =
        entry.path().filename().string().starts_with("honest_");  // others are held against it
    const bool problem = entry.path().filename() == "problem.yaml";
    if (helper || honest || problem || entry.is_directory()) continue;
    std::ifstream in(entry.path());
    bool says = false;
    for (std::string line; std::getline(in, line);)
      says = says || std::regex_match(line, expects) || std::regex_match(line, tested);
    EXPECT_TRUE(says) << entry.path();
  }
}

TEST(Cheats, OfEachClassThereAreTwoAtLeast) {
  std::size_t all = 0;
  for (const auto& [name, cheats] : in_the_files()) {
    EXPECT_GE(cheats.size(), 2u) << name;
    all += cheats.size();
  }
  EXPECT_GE(all, 40u);
}

}  // namespace
}  // namespace podium::docs
