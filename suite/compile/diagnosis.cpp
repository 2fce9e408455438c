// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Looks for errors as compilers word them, the most telling form first.
#include "suite/compile/diagnosis.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <regex>
#include <sstream>
#include <vector>

#include "suite/problem/yaml/utf8.hpp"

namespace podium::compile {
namespace {

constexpr std::size_t most_of_sentence = 240;  // bytes of the compiler's sentence

// Errors without a line of the source: budgets, link editors, assemblers, drivers. The word is looked for
// first.
struct Form {
  const char* word;
  std::regex form;
};

std::optional<std::string> other_error(const std::string& line) {
  static const std::array forms = {
      Form{"podium: ", std::regex("podium: (.*)")},
      Form{"Error: ", std::regex(".*: Error: (.*)")},  // GNU as
      Form{"undefined ", std::regex(".*(undefined (?:reference|symbol).*)")},
      Form{"cannot find ", std::regex(".*: (cannot find .*)")},
      Form{"fatal", std::regex("((?:nvcc|ptxas|nvlink) fatal *: .*)")},
      Form{"error", std::regex("((?:ptxas|nvlink) error *: .*)")},
      Form{"error: ", std::regex("(?:[^ ]*: )?(?:fatal )?error: (.*)")},
      Form{"out of memory", std::regex("(.*)")},
      Form{"annot allocate memory", std::regex("(.*)")},
      Form{"Killed", std::regex("(.*)")},
  };
  std::smatch parts;
  for (const auto& [word, form] : forms)
    if (line.find(word) != std::string::npos && std::regex_match(line, parts, form)) return parts[1].str();
  return std::nullopt;
}

bool below(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const auto relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

std::string shown(const std::filesystem::path& file, const Places& places) {
  if (file == places.shown || std::filesystem::absolute(file).lexically_normal() == places.source)
    return places.shown.string();
  if (file.is_relative() &&
      std::filesystem::exists(places.scratch / file)) {  // generated: 3/podium/softmax.hpp, 3.cpp
    const auto rest = file.lexically_relative(*file.begin());
    return rest == "." ? "generated" + file.extension().string() : rest.string();
  }
  const auto here = std::filesystem::current_path();
  return below(file, here) ? file.lexically_relative(here).string() : file.string();
}

// The line of the source that a line of the log mentions, as in "from file:12", "file:12:3: required" and "at
// line 12 of file"; "" if it mentions none.
std::string mentioned(const std::string& line, const Places& places) {
  static const std::regex number("^[:(]([0-9]+).*"), before(".*\\bline ([0-9]+) of \"?$");
  for (const auto& source : {places.source.string(), places.shown.string()}) {
    const auto at = line.find(source);
    if (at == std::string::npos) continue;
    const std::string head = line.substr(0, at), tail = line.substr(at + source.size());
    std::smatch parts;
    if (std::regex_match(tail, parts, number) || std::regex_match(head, parts, before)) return parts[1];
  }
  return {};
}

// The first line of the source that led to error number `error` of the log: where it uses what the header
// defines, or else where it includes the header.
std::string line_in_source(const std::vector<std::string>& lines, std::size_t error, const Places& places) {
  static const std::regex of_include("(?:In file included)? *from .*");
  std::string includes;
  for (std::size_t k = 0; k < lines.size() && (k <= error || !located_error(lines[k])); ++k) {
    const std::string line = mentioned(lines[k], places);
    if (line.empty()) continue;
    if (!std::regex_match(lines[k], of_include)) return line;
    if (includes.empty()) includes = line;
  }
  return includes;
}

constexpr std::size_t longest_line = 4000;  // std::regex recurses; template names may be megabytes

}  // namespace

std::string diagnose(const std::string& log, const Places& places) {
  const auto lines = lines_of(log);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto error = located_error(lines[k]);
    if (!error) continue;
    const auto what = yaml::excerpt(error->what, most_of_sentence);
    const auto file = shown(error->file, places);
    if (file == places.shown.string()) return fmt::format("{}:{}: {}", file, error->line, what);
    const auto led = line_in_source(lines, k, places);
    return fmt::format("{}{}: {} ({}:{})", places.shown.string(), led.empty() ? "" : ":" + led, what, file,
                       error->line);
  }
  for (const auto& line : lines)
    if (const auto error = other_error(line))
      return fmt::format("{}: {}", places.shown.string(), yaml::excerpt(*error, most_of_sentence));
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    if (!line->empty())
      return fmt::format("{}: {}", places.shown.string(), yaml::excerpt(*line, most_of_sentence));
  return fmt::format("{}: the compiler failed without a message", places.shown.string());
}

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
