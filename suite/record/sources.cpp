// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/record/sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/base/file_text.hpp"

namespace podium::record {
namespace {

namespace fs = std::filesystem;

bool continues_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool has_word(std::string_view text, std::string_view word) {
  if (word.empty()) return false;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !continues_word(text[at - 1]);
    if (begins && (end == text.size() || !continues_word(text[end]))) return true;
  }
  return false;
}

// The word by which other texts name a file: Python imports modules without the suffix.
std::string word_for(const std::string& name) {
  const fs::path file = fs::path(name).filename();
  return (file.extension() == ".py" ? file.stem() : file).string();
}

}  // namespace

const std::string& text_hash(const ContestantRecord& contestant) {
  return contestant.text_sha256.empty() ? contestant.sha256 : contestant.text_sha256;
}

std::map<std::string, std::string> named_files(
    std::string_view text, const std::map<std::string, std::string>& included,
    const std::function<const std::string*(const std::string& sha256)>& text_of) {
  std::map<std::string, std::string> named;
  std::vector<std::string_view> texts{text};
  for (std::size_t next = 0; next < texts.size(); ++next)
    for (const auto& [name, sha256] : included) {
      if (named.contains(name) || !has_word(texts[next], word_for(name))) continue;
      named.emplace(name, sha256);
      if (const std::string* found = text_of(sha256)) texts.emplace_back(*found);
    }
  return named;
}

std::map<std::string, Source> read_sources(const fs::path& run, const Provenance& provenance) {
  std::map<std::string, Source> all;
  const auto add = [&](const std::string& sha256, const std::string& name) {
    // What is no hash may be a path that leads elsewhere.
    if (sha256.size() != 64 || sha256.find_first_not_of("0123456789abcdef") != sha256.npos) return;
    const fs::path file = run / "sources" / sha256;
    std::error_code missing;
    if (all.contains(sha256) || !fs::exists(file, missing)) return;
    std::string text = whole_text_of(file);
    if (const std::string found = record::sha256(text); found != sha256)
      throw Error(
          fmt::format("{}: holds a text with the SHA-256 {}, expected the one that names it; the file "
                      "was damaged or changed",
                      file.string(), found));
    all.emplace(sha256, Source{fs::path(name).filename().string(), std::move(text)});
  };
  const auto add_contestant = [&](const ContestantRecord& contestant) {
    add(text_hash(contestant), contestant.file);
    for (const auto& [name, sha256] : contestant.included) add(sha256, name);
  };
  std::ranges::for_each(provenance.contestants, add_contestant);
  for (const Segment& segment : provenance.segments) std::ranges::for_each(segment.replaced, add_contestant);
  for (const BoardRecord& board : provenance.boards) {
    add(board.sha256, "problem.yaml");
    for (const auto& [name, sha256] : board.files) add(sha256, name);
  }
  return all;
}

std::string license_of(std::string_view text) {
  constexpr std::string_view key = "SPDX-License-Identifier:";
  const std::size_t found = text.find(key);
  if (found == text.npos) return "";
  std::string_view line = text.substr(found + key.size());
  line = line.substr(0, line.find_first_of("\r\n"));
  if (const std::size_t end = line.find("*/"); end != line.npos) line = line.substr(0, end);
  const std::size_t first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \t");
  return first == line.npos ? "" : std::string(line.substr(first, last - first + 1));
}

}  // namespace podium::record
