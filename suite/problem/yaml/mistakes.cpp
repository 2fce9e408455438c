// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One sentence a mistake; those that others follow from, then the others, each sorted by line.
#include "suite/problem/yaml/mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/base/error.hpp"

namespace podium::problem {
namespace {

constexpr std::size_t most_kept = 200, most_shown = 20;  // sentences

}  // namespace

void Mistakes::add(const Location& at, std::string_view key, std::string_view sentence) {
  add(at, key, sentence, false);
}

void Mistakes::add_first(const Location& at, std::string_view key, std::string_view sentence) {
  add(at, key, sentence, true);
}

void Mistakes::add(const Location& at, std::string_view key, std::string_view sentence, bool first) {
  if (found_.size() >= most_kept) raise();  // whoever made these has enough to do
  std::string whole = fmt::format("{}:{}: {}{}{}", at.file, at.line, key, key.empty() ? "" : ": ", sentence);
  const auto same = [&](const Mistake& known) { return known.sentence == whole; };
  if (std::none_of(found_.begin(), found_.end(), same)) found_.push_back({first, at.line, std::move(whole)});
}

void Mistakes::add_once(const Location& at, std::string_view key, std::string_view sentence) {
  const std::string start = fmt::format("{}:{}: {}: ", at.file, at.line, key);
  const auto same = [&](const Mistake& known) { return known.sentence.starts_with(start); };
  if (std::none_of(found_.begin(), found_.end(), same)) add(at, key, sentence);
}

bool Mistakes::about(std::string_view key) const {
  const std::string start = fmt::format(": {}", key);
  return std::any_of(found_.begin(), found_.end(), [&](const Mistake& known) {
    const std::size_t at = known.sentence.find(start);
    if (at == known.sentence.npos || at + start.size() >= known.sentence.size()) return false;
    const char next = known.sentence[at + start.size()];
    return next == ':' || next == '.' || next == '[';
  });
}

void Mistakes::raise() const {
  if (found_.empty()) return;
  auto sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Mistake& a, const Mistake& b) {
    return a.first != b.first ? a.first : a.line < b.line;
  });
  std::string text;
  for (std::size_t i = 0; i < sorted.size() && i < most_shown; ++i)
    text += (i ? "\n" : "") + sorted[i].sentence;
  if (sorted.size() > most_shown)
    text += fmt::format("\nand {}{} more mistakes", sorted.size() == most_kept ? "at least " : "",
                        sorted.size() - most_shown);
  throw Error(text);
}

}  // namespace podium::problem
