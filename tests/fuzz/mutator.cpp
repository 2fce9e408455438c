// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mutator.hpp"

#include <algorithm>

#include "suite/problem/compute/compute.hpp"
#include "suite/problem/formula/formula.hpp"
#include "suite/problem/model/dtype.hpp"
#include "suite/problem/parse/format.hpp"

namespace podium::fuzz {
namespace {

constexpr std::string_view word_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
constexpr std::string_view digits = "0123456789";

std::vector<std::string> make_words() {
  std::vector<std::string> words;
  for (const auto& form : problem::forms()) {
    for (const auto& key : form.keys) words.push_back(key.name);
    words.insert(words.end(), form.later.begin(), form.later.end());
  }
  for (const auto& list : problem::word_lists())
    words.insert(words.end(), list.words.begin(), list.words.end());
  for (int k = 0; k < problem::dtypes; ++k)
    words.emplace_back(problem::info(static_cast<problem::Dtype>(k)).name);
  for (const auto* functions : {&problem::formula_functions(), &problem::compute_functions()})
    words.insert(words.end(), functions->begin(), functions->end());
  for (const char* word :
       {"podium: 1", "eps",    "size",  "length",  "segment", "infinity", "auto",   "null",
        "true",      "false",  "for (", "while (", "if (",    "else",     "break;", "continue;",
        "out(",      "return", "GiB",   "MiB",     "&&",      "||",       "==",     "!=",
        "<=",        ">=",     "+=",    "-=",      "*=",      "?",        "{}",     "[]"})
    words.emplace_back(word);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

const std::vector<std::string> numbers{"0",     "1",
                                       "2",     "3",
                                       "-1",    "7",
                                       "64",    "127",
                                       "0.5",   "-0.25",
                                       "1e9",   "1e300",
                                       ".nan",  ".inf",
                                       "4096",  "2147483648",
                                       "1e-9",  "9007199254740991",
                                       "1025",  "1 << 62",
                                       "65536", "9223372036854775807"};
const std::vector<std::string> operators{" + ", " - ",  " * ",  " / ", " % ",
                                         " < ", " == ", " && ", ", ",  " ? 1 : "};

// Words that stand for each other: most files stay problems if one takes another's place.
const std::vector<std::vector<std::string>>& kinds() {
  static const std::vector<std::vector<std::string>> all = [] {
    std::vector<std::vector<std::string>> kinds{
        numbers,
        problem::formula_functions(),
        problem::compute_functions(),
        {"normal", "uniform", "integers", "zeros", "ones", "sequence"},
        {"value", "magnitude"},
        {"true", "false"},
        {"test", "quick", "bench"}};
    std::vector<std::string> dtypes;
    for (int k = 0; k < problem::dtypes; ++k)
      dtypes.emplace_back(problem::info(static_cast<problem::Dtype>(k)).name);
    kinds.push_back(dtypes);
    for (const auto& list : problem::word_lists()) kinds.push_back(list.words);
    return kinds;
  }();
  return all;
}

}  // namespace

const std::vector<std::string>& format_words() {
  static const std::vector<std::string> words = make_words();
  return words;
}

Mutator::Piece Mutator::word(const std::string& text) {
  std::size_t from = text.find_first_of(word_characters, below(text.size()));
  if (from == text.npos) return {below(text.size()), 0};
  while (from > 0 && word_characters.find(text[from - 1]) != word_characters.npos) --from;
  return {from, std::min(text.find_first_not_of(word_characters, from), text.size()) - from};
}

Mutator::Piece Mutator::number(const std::string& text) {
  const std::size_t from = text.find_first_of(digits, below(text.size()));
  if (from == text.npos) return word(text);
  return {from, std::min(text.find_first_not_of(digits, from), text.size()) - from};
}

Mutator::Piece Mutator::group(const std::string& text) {
  const std::size_t from = text.find_first_of("{[(\"", below(text.size()));
  if (from == text.npos) return word(text);
  if (text[from] == '"') {
    const std::size_t end = text.find('"', from + 1);
    return {from, end == text.npos ? 1 : end + 1 - from};
  }
  int depth = 0;
  for (std::size_t at = from; at < text.size(); ++at) {
    depth += std::string_view("{[(").find(text[at]) != std::string_view::npos;
    depth -= std::string_view("}])").find(text[at]) != std::string_view::npos;
    if (depth == 0) return {from, at + 1 - from};
  }
  return {from, 1};
}

Mutator::Piece Mutator::line(const std::string& text) {
  const std::size_t near = below(text.size()), before = text.rfind('\n', near ? near - 1 : 0);
  const std::size_t from = before == text.npos ? 0 : before + 1;
  return {from, std::min(text.find('\n', from), text.size() - 1) + 1 - from};
}

// Another word of the same kind; a number for names of no kind.
std::string Mutator::alike(const std::string& word) {
  std::vector<const std::vector<std::string>*> fitting;
  for (const auto& kind : kinds())
    if (std::find(kind.begin(), kind.end(), word) != kind.end()) fitting.push_back(&kind);
  return fitting.empty() ? one_of(numbers) : one_of(*one_of(fitting));
}

std::string Mutator::expression(const std::string& text) {
  const std::string left = text_of(text, word(text));
  switch (below(4)) {
    case 0:
      return "(" + left + one_of(operators) + text_of(text, word(text)) + ")";
    case 1:
      return one_of(format_words()) + "(" + left + ")";
    case 2:
      return left + one_of(operators) + one_of(numbers);
    default:
      return left + "(" + text_of(text, word(text)) + ", " + text_of(text, word(text)) + ")";
  }
}

void Mutator::edit(std::string& text) {
  const auto replace = [&](Piece piece, const std::string& with) {
    text.replace(piece.at, piece.size, with);
  };
  switch (below(18)) {
    case 0:
      return replace(word(text), text_of(text, word(text)));
    case 14:
    case 15:
    case 16: {
      const Piece piece = word(text);
      return replace(piece, alike(text_of(text, piece)));
    }
    case 17:
      return replace(number(text), std::to_string(below(40)));
    case 1:
      return replace(word(text), one_of(format_words()));
    case 2:
      return replace(number(text), one_of(numbers));
    case 3:
      return replace(group(text), text_of(text, group(text)));
    case 4:
      return replace(group(text), text_of(text, word(text)));
    case 5:
      return replace(word(text), text_of(text, group(text)));
    case 6:
      return replace(line(text), "");
    case 7: {  // a line in another place
      const std::string copy = text_of(text, line(text));
      return replace({line(text).at, 0}, copy);
    }
    case 8: {  // a line twice, under a new name
      const Piece piece = line(text);
      std::string copy = text_of(text, piece);
      const Piece name = word(copy);
      copy.replace(name.at, name.size, text_of(copy, name) + "2");
      return replace({piece.at, 0}, copy);
    }
    case 9: {  // one more key
      const std::string key =
          one_of(format_words()) + ": " + (below(2) ? text_of(text, group(text)) : expression(text));
      const Piece piece = group(text);
      return replace({piece.at + piece.size - (piece.size > 1), 0}, ", " + key);
    }
    case 10: {  // one more item
      const Piece piece = group(text);
      return replace({piece.at + piece.size - (piece.size > 1), 0}, ", " + text_of(text, word(text)));
    }
    case 11:
      return replace(word(text), expression(text));
    case 12: {
      const Piece piece = group(text);
      return replace({piece.at, below(piece.size + 1)}, "");
    }
    default:
      return replace(word(text), "");
  }
}

std::string Mutator::mutated(std::string text) {
  // Mostly one: a problem with two mistakes is refused for either, and shows little of what lies behind.
  for (std::size_t edits = below(4) ? 1 : 2 + below(2); edits > 0 && !text.empty(); --edits) edit(text);
  return text;
}

std::string Mutator::crossed(std::string text, const std::string& with) {
  if (text.empty() || with.empty()) return text + with;
  const bool lines = below(2) == 0;
  const Piece from = lines ? line(with) : group(with), to = lines ? line(text) : group(text);
  const std::size_t kept = below(2) ? to.size : 0;  // beside, or in its place
  return text.replace(to.at, to.size - (lines ? kept : 0), text_of(with, from));
}

}  // namespace podium::fuzz
