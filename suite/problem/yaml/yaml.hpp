// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// YAML as a small tree with line numbers: one document, no aliases, no tags, no duplicate keys.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace podium::yaml {

inline constexpr std::size_t max_bytes = 1 << 20;  // of a file
inline constexpr std::size_t max_depth = 64;       // of nesting

struct Node {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  int line = 0;         // from 1; where the text of a block scalar begins
  std::string text;     // of a scalar
  bool quoted = false;  // quoted and block scalars are text, whatever they look like
  std::string key;      // within a map
  int key_line = 0;
  std::vector<Node> children;  // of a list or map, in the order of the file

  const Node* find(std::string_view name) const;  // child of a map; nullptr if none
};

// The tree of `source`, whose first line is line `first_line` of `file` (a name for sentences only). An empty
// document is null. Throws podium::Error: file, line, what was found and expected.
Node parse(const std::string& source, const std::string& file, int first_line = 1);

// The text of a regular file of at most max_bytes. Throws podium::Error.
std::string read_file(const std::filesystem::path& file);

}  // namespace podium::yaml
