// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/term_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "suite/compile/compiler_log.hpp"
#include "suite/problem/generate/text.hpp"

namespace podium::compile {
namespace {

int number_at(const std::string& text, std::size_t at) {
  int number = 0;
  std::from_chars(text.data() + std::min(at, text.size()), text.data() + text.size(), number);
  return number;
}

// Where a line of the log says that a term led to the error of another place: "problem.yaml#key:12:3:
// required from here", "at line 12 of problem.yaml#key".
bool led_from(const std::string& text, const std::string& mark, TermError& error) {
  const auto at = text.find(mark);
  if (at == text.npos) return false;
  const auto key = at + mark.size();
  const auto colon = text.find(':', key), blank = text.find_first_of(" \"", key);
  const std::string_view before = " of ";
  const auto of = text.rfind(before, at);
  if (of != text.npos && of + before.size() >= at - std::min<std::size_t>(at, 1)) {
    const auto digits = text.find_last_not_of("0123456789", of - 1);
    error.line = number_at(text, digits == text.npos ? 0 : digits + 1);
    error.key = text.substr(key, std::min(blank, text.size()) - key);
  } else if (colon != text.npos) {
    error.line = number_at(text, colon + 1);
    error.key = text.substr(key, colon - key);
  }
  return error.line > 0;
}

}  // namespace

std::vector<TermPlace> terms_in(const std::string& program, const std::string& problem) {
  // The generator writes each as three such parts: opening, term, closing.
  std::string quoted = problem::cpp_string(problem + '#');
  quoted.pop_back();
  std::vector<TermPlace> terms;
  constexpr std::string_view directive = "\n#line ";
  const auto part = [&](std::size_t at, TermPlace& place) {  // behind `directive`
    const auto name = program.find(' ', at), end = program.find('\n', at);
    if (name == program.npos || end == program.npos || program.compare(name + 1, quoted.size(), quoted) != 0)
      return false;
    const auto key = name + 1 + quoted.size();
    place.key = program.substr(key, end - 1 - key);
    place.line = number_at(program, at);
    place.begin = end + 1;
    place.end = std::min(program.find(directive, end), program.size() - 1) + 1;
    return true;
  };
  for (auto at = program.find(directive); at != program.npos; at = program.find(directive, at)) {
    at += directive.size();
    TermPlace opening, term, closing;
    if (!part(at, opening) || !part(opening.end - 1 + directive.size(), term) ||
        !part(term.end - 1 + directive.size(), closing))
      continue;
    term.opening = program.substr(opening.begin, opening.end - 1 - opening.begin);
    at = closing.end - 1;
    terms.push_back(std::move(term));
  }
  return terms;
}

std::string without_terms(const std::string& program, const std::vector<TermPlace>& terms,
                          const std::vector<std::string>& keys) {
  std::string text;
  std::size_t done = 0;
  for (const TermPlace& term : terms) {
    if (std::find(keys.begin(), keys.end(), term.key) == keys.end()) continue;
    text += program.substr(done, term.begin - done);
    // A whole number can stand wherever a number can.
    const bool block = term.opening.ends_with("{"), returns = term.opening.ends_with("[&] {");
    text += returns ? "return podium::program::i64(0);\n" : block ? ";\n" : "podium::program::i64(0)\n";
    done = term.end;
  }
  return text + program.substr(done);
}

std::vector<TermError> term_errors(const std::string& log, const std::string& problem) {
  const std::string mark = problem + '#';
  const auto lines = lines_of(log);
  std::vector<std::size_t> at;  // errors with a place
  std::vector<LocatedError> located;
  for (std::size_t k = 0; k < lines.size(); ++k)
    if (auto error = located_error(lines[k])) {
      at.push_back(k);
      located.push_back(std::move(*error));
    }
  std::vector<TermError> found;
  for (std::size_t e = 0; e < located.size(); ++e) {
    TermError error{"", 0, located[e].what};
    if (located[e].file.starts_with(mark)) {
      error.key = located[e].file.substr(mark.size());
      error.line = number_at(located[e].line, 0);
    } else {
      const std::size_t first = located[e].trail_behind ? at[e] + 1 : e == 0 ? 0 : at[e - 1] + 1;
      const std::size_t last = !located[e].trail_behind ? at[e]
                               : e + 1 < at.size()      ? at[e + 1]
                                                        : lines.size();
      for (std::size_t k = first; k < last && error.line == 0; ++k) led_from(lines[k], mark, error);
    }
    if (error.line > 0) found.push_back(std::move(error));
  }
  return found;
}

}  // namespace podium::compile
