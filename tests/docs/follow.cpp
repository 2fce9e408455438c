// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/docs/follow.hpp"

#include <sys/wait.h>

#include <filesystem>
#include <regex>
#include <sstream>

#include "tests/judge/program_double.hpp"
#include "tests/paths.hpp"

namespace podium::docs {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Blanks as one, none at the ends; where only the gist counts, numbers with their units as N, rules as one,
// and what so busy a machine did not try as the two numbers that it would have been.
std::string plain(const std::string& line, bool about) {
  static const std::regex blanks("[ \t]+"), ends("^ | $"), rule("(?:─|-)+"), untried("about N, not tried"),
      number("[0-9][0-9.,]*(e[-+]?[0-9]+)?( ?(ns|µs|ms|s|GB/s|[KMG]iB|B)(?![A-Za-z]))?");
  std::string text = std::regex_replace(line, blanks, " ");
  if (about) {
    text = std::regex_replace(std::regex_replace(text, number, "N"), rule, "-");
    text = std::regex_replace(text, untried, "N N");
  }
  return std::regex_replace(text, ends, "");
}

// Whether `line` is `shown`, where "…" stands for anything.
bool matches(const std::string& line, const std::string& shown) {
  static const std::string any = "…";
  std::size_t at = 0, from = 0;
  for (bool first = true;; first = false) {
    const std::size_t end = shown.find(any, from);
    const std::string part = shown.substr(from, end == shown.npos ? end : end - from);
    const bool last = end == shown.npos;
    std::size_t found = first ? (line.starts_with(part) ? 0 : line.npos) : line.find(part, at);
    if (last && !first)
      found = line.size() >= at + part.size() && line.ends_with(part) ? line.size() - part.size() : line.npos;
    if (found == line.npos) return false;
    at = found + part.size();
    if (last) return at == line.size();
    from = end + any.size();
  }
}

}  // namespace

std::string file_of(const Block& block) {
  static const std::regex named("(?:#|//) (kernels/[A-Za-z0-9_./-]+)");
  std::smatch parts;
  const std::string first = block.text.substr(0, block.text.find('\n'));
  return std::regex_match(first, parts, named) ? std::string(parts[1]) : "";
}

std::string line_missing(const std::string& output, const std::string& shown, bool about) {
  const auto lines = lines_of(output);
  std::size_t at = 0;
  for (const std::string& line : lines_of(shown)) {
    const std::string wanted = plain(line, about);
    if (wanted.empty() || wanted == "…") continue;
    if (about) at = 0;  // ranks differ, too
    while (at < lines.size() && !matches(plain(lines[at], about), wanted)) ++at;
    if (at++ == lines.size()) return line;
  }
  return "";
}

Checkout::Checkout() {
  fs::create_directories(path() / "kernels");
  const std::string here = path().string();
  const fs::path shim = scratch_.write(
      "scripts/podium", "#!/bin/sh\nPODIUM_PROBLEMS='" + here + "/kernels' PODIUM_RESULTS='" + here +
                            "/results' PODIUM_CACHE='" + test::cache_dir() + "' PODIUM_TOOLCHAIN='" +
                            test::toolchain() + "' exec '" + test::programs_dir() + "/podium' \"$@\"\n");
  fs::permissions(shim, fs::perms::owner_all);
}

void Checkout::write(const Block& block) const { scratch_.write(file_of(block), block.text); }

Checkout::Ran Checkout::run(const std::string& commands) const {
  const fs::path file = scratch_.write("steps", commands);
  // Wide enough for every column: a note that depends on the machine leaves none out.
  const auto [output, status] =
      judge::shell("cd '" + path().string() + "' && COLUMNS=200 bash -euo pipefail '" + file.string() + "'");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128, output};
}

std::vector<std::string> Checkout::follow(const Document& document, const std::vector<Block>& blocks) {
  std::vector<std::string> faults;
  std::string output;
  bool printed = false;  // whether a block of text here is compared
  for (const Block& block : blocks) {
    if (!file_of(block).empty()) {
      write(block);
    } else if (block.language == "sh") {
      const Ran ran = run(block.text);
      output = ran.output;
      if (const int expected = block.remark == "fails" ? 1 : 0; ran.status != expected)
        faults.push_back(document.place(block) + ": exit status " + std::to_string(ran.status) +
                         ", expected " + std::to_string(expected) + "\n" + output);
    } else if (block.language == "text" && printed) {
      if (const std::string line = line_missing(output, block.text, block.remark == "about"); !line.empty())
        faults.push_back(document.place(block) + ": was not printed: " + line + "\n" + output);
    }
    printed = block.language == "sh";
  }
  return faults;
}

}  // namespace podium::docs
