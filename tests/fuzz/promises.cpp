// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/promises.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

#include "suite/problem/yaml/utf8.hpp"

namespace podium::fuzz {
namespace {

constexpr std::string_view file = "p.yaml:";

void expect_utf8(const std::string& text) {
  if (const auto fault = yaml::first_fault(text)) expect(false, "found " + fault->what + " in: " + text);
}

}  // namespace

void expect(bool holds, const std::string& otherwise) {
  if (!holds) throw std::logic_error(otherwise);
}

void expect_sentences(const std::string& text, const std::string& source) {
  const auto lines = std::count(source.begin(), source.end(), '\n') + (source.ends_with('\n') ? 0 : 1);
  expect(!text.empty(), "an error without a sentence");
  expect_utf8(text);
  std::istringstream sentences(text);
  for (std::string sentence; std::getline(sentences, sentence);) {
    if (sentence.starts_with("and ") && sentence.ends_with(" more mistakes")) continue;
    expect(sentence.starts_with(file), "a sentence without its place: " + sentence);
    sentence.erase(0, file.size());
    if (sentence.starts_with(" found ")) continue;  // of the file as a whole
    const auto digits = sentence.find_first_not_of("0123456789");
    expect(digits > 0 && digits < 9 && sentence[digits] == ':', "a sentence without a line: " + sentence);
    const int line = std::stoi(sentence.substr(0, digits));
    expect(line >= 1 && line <= std::max<std::ptrdiff_t>(lines, 1),
           "a line that the file does not have: " + sentence);
    expect(sentence.size() > digits + 2, "a place without a sentence: " + sentence);
  }
}

void expect_text(const std::string& text) {
  expect_utf8(text);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto comment = line.find("//");
    const auto last = line.find_last_not_of(" \t\r");
    expect(comment == line.npos || last == line.npos || line[last] != '\\',
           "a comment that goes on in the next line: " + line);
  }
}

}  // namespace podium::fuzz
