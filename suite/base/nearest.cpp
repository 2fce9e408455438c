// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Edit distance (optimal string alignment: Damerau 1964 without repeated edits of one place).
#include "suite/base/nearest.hpp"

#include <algorithm>
#include <cctype>

namespace podium {
namespace {

constexpr std::size_t longest = 64;               // letters; beyond that nobody has mistyped a name
constexpr std::size_t most_compared = 5'000'000;  // pairs of letters: some milliseconds
constexpr std::size_t most_listed = 24;

int letter_cost(char a, char b) {
  if (a == b) return 0;
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return lower(a) == lower(b) ? 1 : 2;
}

// In half edits, so that a difference in case alone counts less than another letter.
int distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = 2 * static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = 2 * static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 2, row[j - 1] + 2, above[j - 1] + letter_cost(a[i - 1], b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 2);
    }
  }
  return row[b.size()];
}

// The only name that begins with `word`; "" if there is none, or if there are several.
std::string completed(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t fewest = 3;  // letters that say what was meant
  if (word.size() < fewest) return "";
  const auto begins = [&](const std::string& name) { return name.starts_with(word); };
  const auto first = std::find_if(names.begin(), names.end(), begins);
  return first == names.end() || std::any_of(first + 1, names.end(), begins) ? "" : *first;
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  std::size_t letters = 0;
  for (const std::string& name : names) letters += name.size();
  if (word.size() > longest || word.size() * letters > most_compared) return "";
  std::string best;
  int least = std::max<int>(2, 2 * static_cast<int>(word.size()) / 3) + 1;
  for (const std::string& name : names) {
    if (name.size() > longest) continue;
    const int edits = distance(word, name);
    if (edits >= 2 * static_cast<int>(std::max(word.size(), name.size()))) continue;  // nothing in common
    if (edits < least || (edits == least && name.size() > best.size() && !best.empty())) {
      least = edits;
      best = name;
    }
  }
  return best.empty() ? completed(word, names) : best;
}

std::string found_one_of(std::string_view found, const std::vector<std::string>& names) {
  std::string sentence = "found \"" + std::string(found) + "\", expected ";
  if (names.empty()) return sentence + "nothing here";
  if (names.size() > 1) sentence += "one of ";
  for (std::size_t i = 0; i < names.size() && i < most_listed; ++i) sentence += (i ? ", " : "") + names[i];
  if (names.size() > most_listed) sentence += " …";
  if (const std::string near = nearest(found, names); !near.empty())
    sentence += " (nearest: \"" + near + "\")";
  return sentence;
}

}  // namespace podium
