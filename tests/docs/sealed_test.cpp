// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// docs/sealed.md: its files are contestants of the problem in docs/contestant.md, compile where their
// compilers are, and the mistake that it shows is told in these words.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/docs/follow.hpp"

namespace podium::docs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::vector<std::string> names{"pieces", "programs", "tiles", "assembled"};

// The problem and the files of the page.
struct Written {
  Checkout checkout;
  Written() {
    for (const Block& block : read_document("docs/contestant.md").blocks)
      if (fs::path(file_of(block)).filename() == "problem.yaml") checkout.write(block);
    for (const Block& block : read_document("docs/sealed.md").blocks)
      if (!file_of(block).empty()) checkout.write(block);
  }
};

TEST(SealedDocument, FilesAreContestants) {
  const Written written;
  const auto ran = written.checkout.run("scripts/podium list problems --format json");
  EXPECT_EQ(ran.status, 0) << ran.output;
  for (const auto& name : names) EXPECT_THAT(ran.output, HasSubstr("\"" + name + "\""));
}

TEST(SealedDocument, FilesCompileWhereTheirCompilersAre) {
  const Written written;
  int compiled = 0;
  for (const std::string backend : {"cuda", "hip"}) {
    std::string command = "scripts/podium build row_sums --backend " + backend + " --contestant";
    for (const auto& name : names)
      if (backend == "cuda" || name == "pieces" || name == "programs") command += " " + name;
    const auto ran = written.checkout.run(command);
    if (ran.output.find("records no compiler") != ran.output.npos) continue;
    EXPECT_EQ(ran.status, 0) << ran.output;
    // What is not there is said to be missing; nothing else may be.
    std::istringstream lines(ran.output);
    for (std::string line; std::getline(lines, line);)
      if (line.find(": not available: ") != line.npos) {
        EXPECT_THAT(line, HasSubstr("was not found: run scripts/setup --"));
      }
    ++compiled;
  }
  if (compiled == 0) GTEST_SKIP() << "neither the cuda nor the hip preset";
}

TEST(SealedDocument, TheMistakeIsToldAsShown) {
  const Written written;
  const auto blocks = read_document("docs/sealed.md").blocks;
  const auto shown = std::ranges::find(blocks, "text", &Block::language);
  ASSERT_NE(shown, blocks.end());
  const fs::path file = written.checkout.path() / "kernels/row_sums/pieces.sealed.gpu.cpp";
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  std::string wrong = text.str();
  const std::string right = "i64(cols)";
  ASSERT_NE(wrong.find(right), wrong.npos);
  wrong.replace(wrong.find(right), right.size(), "i32(cols)");
  std::ofstream(file) << wrong;
  const auto ran = written.checkout.run("scripts/podium build row_sums --backend cuda --contestant pieces");
  if (ran.output.find("records no compiler") != ran.output.npos) GTEST_SKIP() << "not the cuda preset";
  EXPECT_EQ(ran.status, 1);
  EXPECT_THAT(ran.output, HasSubstr(shown->text.substr(0, shown->text.find('\n'))));
}

}  // namespace
}  // namespace podium::docs
