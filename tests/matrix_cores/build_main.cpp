// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// build TOOLCHAIN CACHE BACKEND [PROBLEM CONTESTANT ARCHITECTURE]...: contestants as `podium build` compiles
// them, for all architectures at once, and without judge's programs and baselines, which take three quarters
// of its time. Prints "PROBLEM CONTESTANT ARCHITECTURE TYPES:" and the file, or the sentence that says why
// there is none.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/contest/plan.hpp"
#include "tests/paths.hpp"

int main(int argc, char** argv) try {
  using namespace podium;
  const std::vector<std::string> words(argv + 1, argv + argc);
  compile::Builder builder(compile::read_toolchain(words.at(0)), words.at(1));
  const std::string& backend = words.at(2);
  std::vector<std::string> rows;
  for (std::size_t i = 3; i < words.size(); i += 3) {
    const auto& arch = words.at(i + 2);
    contest::Selection selection;
    selection.problems = std::filesystem::path(test::source_dir()) / "kernels";
    selection.names = {words[i]};
    selection.contestants = {words[i + 1]};
    selection.baseline = false;
    const contest::Plan plan = contest::plan(selection, backend);
    for (const auto& board : plan.boards) {
      const auto& choice = board.problem->choices[board.choice];
      for (const auto& entrant : board.entrants) {
        builder.add(*board.problem, choice, entrant.contestant, backend, arch);
        rows.push_back(fmt::format("{} {} {} {}", words[i], words[i + 1], arch, choice.name));
      }
    }
  }
  const auto products = builder.run();
  for (std::size_t n = 0; n < rows.size(); ++n)
    fmt::print("{}: {}\n", rows[n],
               products[n].message.empty() ? products[n].file.string() : products[n].message);
  return 0;
} catch (const std::exception& e) {
  fmt::print(stderr, "{}\n", e.what());
  return 1;
}
