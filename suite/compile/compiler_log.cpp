// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/compiler_log.hpp"

#include <regex>
#include <sstream>

namespace podium::compile {
namespace {

constexpr std::size_t longest_line = 4000;  // std::regex recurses; template names may be megabytes

}  // namespace

std::vector<std::string> lines_of(const std::string& log) {
  std::vector<std::string> lines;
  std::istringstream text(log);
  for (std::string line; std::getline(text, line);) lines.push_back(line.substr(0, longest_line));
  return lines;
}

// g++ and clang: "file:12:3: error: what"; nvcc and NVRTC: "file(12): error: what".
std::optional<LocatedError> located_error(const std::string& line) {
  static const std::regex gnu("([^ :][^:]*):([0-9]+):(?:[0-9]+:)? (?:fatal )?error: (.*)");
  static const std::regex edg(
      "([^ (][^(]*)\\(([0-9]+)\\): (?:catastrophic )?error(?: #[-A-Za-z0-9]+)?: (.*)");
  if (line.find("error") == std::string::npos) return std::nullopt;
  std::smatch parts;
  for (const auto* form : {&gnu, &edg})
    if (std::regex_match(line, parts, *form)) return LocatedError{parts[1], parts[2], parts[3], form == &edg};
  return std::nullopt;
}

}  // namespace podium::compile
