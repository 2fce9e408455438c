// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The `podium:` comment block of a contestant's file, read without compiling.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "suite/compile/contestant.hpp"

namespace podium::compile {

struct Block {
  std::string yaml;  // the comment's text, markers removed, line for line
  int line = 0;      // of the file, from 1, at which it begins
};

// The block among the comments before the first line of code, or none. `marker` begins a line comment: "//"
// or "#". Throws podium::Error if a block comes later in the file, where it would be overlooked.
std::optional<Block> find_block(std::string_view text, std::string_view marker,
                                const std::filesystem::path& file);

// Fills title, author, source, types, arch, backends, needs, framework and when of `contestant`, whose file
// and language are set. `contestant.backends` holds what the suffix allows and is narrowed. Throws
// podium::Error holding every mistake, one sentence a line, each with file and line.
void read_metadata(const Block& block, const problem::Problem& problem, Contestant& contestant);

}  // namespace podium::compile
