// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One sentence a mistake, sorted by line.
#include "suite/problem/mistakes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "suite/base/error.hpp"

namespace podium::problem {
namespace {

constexpr std::size_t most_kept = 200, most_shown = 20;  // sentences

}  // namespace

void Mistakes::add(const Location& at, std::string_view key, std::string_view sentence) {
  if (sentences_.size() >= most_kept) raise();  // whoever made these has enough to do
  std::string whole = fmt::format("{}:{}: {}{}{}", at.file, at.line, key, key.empty() ? "" : ": ", sentence);
  const auto same = [&](const auto& known) { return known.second == whole; };
  if (std::none_of(sentences_.begin(), sentences_.end(), same))
    sentences_.emplace_back(at.line, std::move(whole));
}

void Mistakes::add_once(const Location& at, std::string_view key, std::string_view sentence) {
  const std::string start = fmt::format("{}:{}: {}: ", at.file, at.line, key);
  const auto same = [&](const auto& known) { return known.second.starts_with(start); };
  if (std::none_of(sentences_.begin(), sentences_.end(), same)) add(at, key, sentence);
}

bool Mistakes::about(std::string_view key) const {
  const std::string start = fmt::format(": {}", key);
  return std::any_of(sentences_.begin(), sentences_.end(), [&](const auto& known) {
    const std::size_t at = known.second.find(start);
    if (at == known.second.npos || at + start.size() >= known.second.size()) return false;
    const char next = known.second[at + start.size()];
    return next == ':' || next == '.' || next == '[';
  });
}

void Mistakes::raise() const {
  if (sentences_.empty()) return;
  auto sorted = sentences_;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::string text;
  for (std::size_t i = 0; i < sorted.size() && i < most_shown; ++i)
    text += (i ? "\n" : "") + sorted[i].second;
  if (sorted.size() > most_shown)
    text += fmt::format("\nand {}{} more mistakes", sorted.size() == most_kept ? "at least " : "",
                        sorted.size() - most_shown);
  throw Error(text);
}

}  // namespace podium::problem
