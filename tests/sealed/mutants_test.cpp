// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A launch list that is changed at random is read and resolved, or refused with sentences that name file and
// line.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <sstream>

#include "suite/compile/sealed_resolve.hpp"
#include "tests/sealed/sealed_problem.hpp"

namespace podium::compile {
namespace {

const std::string whole = R"yaml(// podium:
//   values: { blocks: "min(ceil_div(rows, 4), 8)", twice: 2 * blocks }
//   scratch: { partial: { dtype: bf16, shape: [blocks, 3] } }
//   define: { COLS: cols }
//   prepare: [{ kernel: init, grid: [1], block: [32], arguments: [partial, lengths] }]
//   launches:
//     - { kernel: first, grid: [blocks, rows], block: [64, 2], shared: 4 * cols, arguments: [x, partial, nil, i64(rows)] }
//     - { kernel: second, grid: [twice], block: [warp], arguments: [y, f32(alpha), "u8(min(1, 2))"] }
)yaml";

TEST_F(Sealed, MutantsAreResolvedOrRefusedWithFileAndLine) {
  static const std::regex sentence(".*a\\.sealed\\.cu:[0-9]+: .+|and .*more mistakes");
  const std::string material = "{}[]:,()*/-+ \n\"#'&|<>?%09azxyn_é";
  const auto p = problem();
  std::mt19937 random(7);
  int good = 0, refused = 0;
  for (int mutant = 0; mutant < 4000; ++mutant) {
    std::string text = whole;
    for (unsigned edits = 1 + random() % 3; edits > 0; --edits) {
      const auto at = 10 + random() % (text.size() - 10);
      switch (random() % 3) {
        case 0:
          text.erase(at, 1 + random() % 4);
          break;
        case 1:
          text.insert(at, 1, material[random() % material.size()]);
          break;
        default:
          text.insert(at, whole.substr(random() % whole.size(), random() % 12));
      }
    }
    const auto file = folder.write("kernels/rows/a.sealed.cu", text);
    try {
      for (const auto& c : discover(p, {file}, "cuda")) {
        if (!c.fault.empty()) throw Error(c.fault);
        for (const auto& choice : p.choices)
          resolve(p, choice, c, "sm_90", {.warp = 32, .multiprocessors = 2});
      }
      ++good;
    } catch (const Error& e) {
      ++refused;
      std::istringstream lines(e.what());
      for (std::string line; std::getline(lines, line);)
        ASSERT_TRUE(std::regex_match(line, sentence)) << line << "\nof\n" << text;
    }
  }
  EXPECT_GT(good, 100);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace podium::compile
