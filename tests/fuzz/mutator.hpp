// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Changes of problem files that leave most of them YAML: a fuzzer that changes bytes seldom gets past a
// brace.
#pragma once
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace podium::fuzz {

// Keys and words of the format, functions, dtypes and operators: what the dictionary holds too.
const std::vector<std::string>& format_words();

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutated(std::string text);                           // by one to three edits
  std::string crossed(std::string text, const std::string& with);  // a piece of one in the other

 private:
  struct Piece {
    std::size_t at = 0, size = 0;
  };
  std::size_t below(std::size_t n) { return n ? random_() % n : 0; }
  template <class T>
  const T& one_of(const std::vector<T>& all) {
    return all[below(all.size())];
  }
  std::string text_of(const std::string& text, Piece piece) { return text.substr(piece.at, piece.size); }

  Piece word(const std::string& text);    // letters, digits, _ and .
  Piece number(const std::string& text);  // digits; a word where there are none
  Piece group(const std::string& text);   // what a bracket or quote encloses, with both of them
  Piece line(const std::string& text);    // with its end
  std::string alike(const std::string& word);
  std::string expression(const std::string& text);
  void edit(std::string& text);

  std::mt19937 random_;
};

}  // namespace podium::fuzz
