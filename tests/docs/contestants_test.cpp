// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// docs/contestant.md: its files are compiled and verified, its commands are run, its short blocks stand in
// the file marked `frame` and are right, or get the row that is shown behind them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>

#include "tests/docs/follow.hpp"
#include "tests/paths.hpp"

namespace podium::docs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;

const Document& document() {
  static const Document read = read_document("docs/contestant.md");
  return read;
}

// The document's problems and contestants as files; the names of contestants that run on the CPU, by problem.
struct Written {
  Checkout checkout;
  std::vector<std::pair<std::string, std::string>> contestants;  // problem, name
  std::vector<fs::path> vendors;                                 // files for one vendor alone

  Written() {
    for (const Block& block : document().blocks) {
      const fs::path file = file_of(block);
      if (file.empty()) continue;
      checkout.write(block);
      const std::string name = file.filename().string(), problem = file.parent_path().filename().string();
      if (file.extension() == ".cpp")
        contestants.emplace_back(problem, name.substr(0, name.find('.')));
      else if (file.extension() == ".cu" || file.extension() == ".hip")
        vendors.push_back(file);
    }
  }
};

TEST(Contestants, CommandsPrintWhatTheySay) {
  Checkout checkout;
  EXPECT_THAT(checkout.follow(document(), document().blocks), IsEmpty());
}

TEST(Contestants, OfTheDocumentAreRight) {
  const Written written;
  EXPECT_GE(written.contestants.size(), 7u) << "found too few; does the search still work?";
  for (const auto& [problem, name] : written.contestants) {
    const auto ran = written.checkout.run("scripts/podium verify --device host --quiet " + problem +
                                          " --contestant " + name);
    EXPECT_EQ(ran.status, 0) << problem << "/" << name << "\n" << ran.output;
    // Where a library is not here, the row says so; nothing else passes for right.
    static const std::regex row(
        "[a-z_]+/[a-z0-9]+ +([a-z_]+) +(right  right on|missing library  [a-z_.]+ needs kokkos).*\n");
    std::smatch parts;
    bool named = false;
    std::string rest = ran.output;
    while (std::regex_search(rest, parts, row)) named |= parts[1] == name, rest = parts.suffix();
    EXPECT_TRUE(named) << problem << "/" << name << "\n" << ran.output;
  }
}

// nvcc or hipcc compile what only one vendor has; skipped, saying so, where there is none.
TEST(Contestants, OfOneVendorCompile) {
  const Written written;
  ASSERT_EQ(written.vendors.size(), 1u);
  const auto found = written.checkout.run(test::source_dir() + "/scripts/compiler cuda");
  if (found.status != 0) GTEST_SKIP() << found.output;
  const std::string nvcc = found.output.substr(0, found.output.find('\n'));
  const auto ran = written.checkout.run(
      "mkdir podium\nscripts/podium show problem row_sums --generated header >podium/row_sums.hpp\n'" + nvcc +
      "' -std=c++17 -arch=sm_90 -c -I. -I" + test::source_dir() +
      "/sdk kernels/row_sums/library.cu -o library.o");
  if (ran.output.find("cublas_v2.h: No such file") != ran.output.npos) GTEST_SKIP() << "cuBLAS is not here";
  EXPECT_EQ(ran.status, 0) << ran.output;
}

std::string framed(const std::string& piece) {
  static const std::string dots = "    // …\n";
  const auto& blocks = document().blocks;
  const auto frame =
      std::find_if(blocks.begin(), blocks.end(), [](const Block& b) { return b.remark == "frame"; });
  std::string text = frame->text;
  const std::size_t at = text.find(dots);
  if (at == text.npos) throw std::runtime_error("the frame has no dots");
  return text.replace(at, dots.size(), "    {\n" + piece + "    }\n");
}

struct Piece {
  std::string name, shown;  // of the contestant; its row, "" if it is right
  int line;
};

TEST(Contestants, ShortBlocksAreRightOrGetTheRowThatIsShown) {
  const Written written;
  std::vector<Piece> pieces;
  std::string names;
  for (std::size_t k = 0; k < document().blocks.size(); ++k) {
    const Block& block = document().blocks[k];
    if (block.language != "cpp" || !file_of(block).empty() || block.remark == "frame") continue;
    const std::string name = "piece_" + std::to_string(block.line);
    const bool row = k + 1 < document().blocks.size() && document().blocks[k + 1].language == "text";
    pieces.push_back({name, row ? document().blocks[k + 1].text : "", block.line});
    written.checkout.write({"cpp", "", "// kernels/row_sums/" + name + ".cpp\n" + framed(block.text), "", 0});
    names += " " + name;
  }
  ASSERT_GE(pieces.size(), 6u) << "found too few; does the search still work?";
  const auto ran =
      written.checkout.run("scripts/podium verify --device host --quiet row_sums --contestant" + names);
  for (const Piece& piece : pieces) {
    std::string rows;
    for (std::size_t at = 0, end; (end = ran.output.find('\n', at)) != ran.output.npos; at = end + 1)
      if (const std::string line = ran.output.substr(at, end - at); line.find(piece.name + " ") != line.npos)
        rows += line + "\n";
    EXPECT_NE(rows, "") << ran.output;
    if (piece.shown.empty())
      EXPECT_EQ(
          line_missing(rows, "row_sums/f32 … right right on 3 workloads; …\nrow_sums/bf16 … right …", false),
          "")
          << "docs/contestant.md:" << piece.line << "\n"
          << rows;
    else
      EXPECT_EQ(line_missing(rows, piece.shown, false), "") << "docs/contestant.md:" << piece.line << "\n"
                                                            << rows;
  }
}

TEST(Contestants, WrongPieceIsSeen) {
  const Written written;
  written.checkout.write({"cpp", "",
                          "// kernels/row_sums/false_claim.cpp\n" +
                              framed("podium::require(args.x.stride(1) == 2, \"strides\");\n"),
                          "", 0});
  const auto ran =
      written.checkout.run("scripts/podium verify --device host --quiet row_sums --contestant false_claim");
  EXPECT_THAT(ran.output, HasSubstr("not supported  "));
  EXPECT_THAT(ran.output, Not(HasSubstr("false_claim  right"))) << ran.output;
}

// The table of metadata has the keys that the reader of metadata knows, and the document uses each of those
// that C++ has.
TEST(Contestants, EveryKeyOfMetadataStandsInTheTable) {
  const Written written;
  written.checkout.write({"cpp", "", "// kernels/row_sums/unknown.cpp\n// podium: { zzz: 1 }\n", "", 0});
  written.checkout.write({"py", "", "# kernels/row_sums/unknown_too.py\n# podium: { zzz: 1 }\n", "", 0});
  const auto ran = written.checkout.run(
      "scripts/podium verify --device host --quiet row_sums --contestant unknown unknown_too");
  std::string of_cpp, of_python;
  for (const Row& row : document().rows) {
    if (row.heads.at(0) != "`metadata`") continue;
    const std::string key = row.cells.at(0).substr(1, row.cells.at(0).size() - 2);
    of_python += (of_python.empty() ? "" : ", ") + key;
    if (row.cells.at(2).starts_with("of `name.py` alone")) continue;
    of_cpp += (of_cpp.empty() ? "" : ", ") + key;
    const auto used = [&](const Block& b) {
      return b.language == "cpp" && b.text.find("//   " + key + ": ") != b.text.npos;
    };
    EXPECT_TRUE(std::any_of(document().blocks.begin(), document().blocks.end(), used)) << key;
  }
  EXPECT_NE(of_cpp, of_python);
  for (const std::string& listed : {of_cpp, of_python})
    EXPECT_THAT(ran.output, HasSubstr("unknown key: found \"zzz\", expected one of " + listed + "\n"));
}

}  // namespace
}  // namespace podium::docs
