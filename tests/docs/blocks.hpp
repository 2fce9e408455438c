// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The fenced blocks of a document, with the headings they stand under.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace podium::docs {

struct Block {
  std::string language;  // the first word of the info string: "yaml", "cpp", "sh", "text"
  std::string remark;    // what stands behind it: "refused", "base"
  std::string text;      // without the fence and without its indentation; each line ends in \n
  std::string section;   // the last heading of two number signs
  int line = 0;          // of the fence, from 1
};

// A row of a table: its cells, trimmed; and the heading row of its table.
struct Row {
  std::vector<std::string> cells, heads;
  std::string section;
  int line = 0;
};

struct Document {
  std::filesystem::path file;
  std::vector<Block> blocks;  // in order
  std::vector<Row> rows;      // of tables outside of blocks, in order, without heading rows

  std::string place(const Block& block) const;  // "docs/problem.md:12"
};

// Throws std::runtime_error for a block that is not closed.
Document read_document(std::string_view name);  // relative to the source tree

}  // namespace podium::docs
