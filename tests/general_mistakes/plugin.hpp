// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A problem's right contestant, compiled once a choice of types with all mistakes inside.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/compile/contestant.hpp"
#include "suite/problem/model/problem.hpp"
#include "tests/general_mistakes/mistakes.hpp"

namespace podium::mistakes {

struct Board {
  std::size_t choice = 0;  // index into problem.choices
  compile::Contestant right;
  std::filesystem::path program, plugin;
};

// Tensors that a contestant writes, in the order of the file.
std::vector<const problem::Tensor*> outputs_of(const problem::Problem& problem);

// The choices of types that are examined: indices into problem.choices.
std::vector<std::size_t> examined(const problem::Problem& problem);

// One for each of these choices, all built; files are written to `folder`. Right is `serial`, or where it
// does not serve the types, any other native contestant. Throws std::runtime_error: there is none, or what
// was written does not compile.
std::vector<Board> build_boards(const problem::Problem& problem, const std::vector<std::size_t>& choices,
                                const std::filesystem::path& folder);

// A copy of the plugin, at `to`, that makes this mistake in that output. Throws std::runtime_error.
void select(const std::filesystem::path& plugin, Mistake mistake, std::size_t output,
            const std::filesystem::path& to);

}  // namespace podium::mistakes
