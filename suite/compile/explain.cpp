// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "suite/compile/term_errors.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/formula/term_names.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::compile {
namespace {

constexpr std::size_t most_sentences = 10;
constexpr std::size_t longest_sentence = 240;  // bytes of a sentence

bool mentions(const std::string& text, const std::string& name) {
  return problem::names_used(text).contains(name);
}

// Of "reference.y.value" it is y, what other terms call; "" where they call nothing of the kind.
std::string reference_of(const std::string& key) {
  constexpr std::string_view section = "reference.";
  if (!key.starts_with(section)) return "";
  return key.substr(section.size(), key.find('.', section.size()) - section.size());
}

class Explanation {
 public:
  explicit Explanation(const FailedProgram& program)
      : program_(program), terms_(terms_in(program.text, program.problem)) {
    for (const TermPlace& term : terms_) texts_[term.key] = term;
  }

  // Notes what a log says of terms that were not yet found wrong; whether there was any.
  bool read(const std::string& log) {
    std::set<std::string> suspects;  // references whose callers may be wrong for their sake
    std::vector<std::string> wrong;
    for (const TermError& error : term_errors(log, program_.problem)) {
      const auto contains = [&](const auto& keys) {
        return std::find(keys.begin(), keys.end(), error.key) != keys.end();
      };
      if (contains(wrong_)) continue;
      if (!contains(wrong) && follows(error, suspects)) {
        suspects.insert(reference_of(error.key));
        continue;
      }
      if (!contains(wrong)) wrong.push_back(error.key);
      suspects.insert(reference_of(error.key));
      const bool told = std::any_of(errors_.begin(), errors_.end(), [&](const TermError& other) {
        return other.key == error.key && other.line == error.line;
      });
      if (!told && !declared_in_vain(error)) errors_.push_back(error);
    }
    wrong_.insert(wrong_.end(), wrong.begin(), wrong.end());
    return !wrong.empty();
  }

  bool is_full() const { return errors_.size() >= most_sentences; }
  std::string corrected() const { return without_terms(program_.text, terms_, wrong_); }

  std::string sentences() {
    std::stable_sort(errors_.begin(), errors_.end(),
                     [](const TermError& a, const TermError& b) { return a.line < b.line; });
    std::string text;
    for (std::size_t k = 0; k < errors_.size() && k < most_sentences; ++k)
      text += fmt::format("{}{}:{}: {}: {}", k ? "\n" : "", program_.problem, errors_[k].line, errors_[k].key,
                          yaml::excerpt(in_words(errors_[k].what, program_.names), longest_sentence));
    return text;
  }

 private:
  std::string text_of(const TermPlace& term) const {
    return program_.text.substr(term.begin, term.end - term.begin);
  }

  // Whether the error may only be that of what its term calls.
  bool follows(const TermError& error, const std::set<std::string>& suspects) const {
    const auto term = texts_.find(error.key);
    if (term == texts_.end()) return false;
    const std::string text = text_of(term->second);
    return std::any_of(suspects.begin(), suspects.end(), [&](const std::string& name) {
      return !name.empty() && (name == reference_of(error.key) || mentions(text, name));
    });
  }

  // Whether the name that it does not know stands in an earlier wrong line of its body, which may have been
  // meant to declare it.
  bool declared_in_vain(const TermError& error) const {
    const std::string name = undeclared_in(error.what);
    const auto term = texts_.find(error.key);
    if (name.empty() || term == texts_.end()) return false;
    const std::string text = text_of(term->second);
    return std::any_of(errors_.begin(), errors_.end(), [&](const TermError& earlier) {
      if (earlier.key != error.key || earlier.line >= error.line) return false;
      std::size_t begin = 0;
      for (int line = term->second.line; line < earlier.line && begin < text.size(); ++line)
        begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
      return mentions(text.substr(begin, text.find('\n', begin) - begin), name);
    });
  }

  const FailedProgram& program_;
  std::vector<TermPlace> terms_;
  std::map<std::string, TermPlace> texts_;  // by key
  std::vector<std::string> wrong_;          // keys
  std::vector<TermError> errors_;
};

}  // namespace

std::vector<std::string> names_of_terms(const problem::Problem& problem) {
  std::set<std::string> names;
  for (const auto& axis : problem.axes) names.insert(axis.name);
  for (const auto& parameter : problem.parameters) names.insert(parameter.name);
  for (const auto& constant : problem.constants) names.insert(constant.name);
  for (const auto& structure : problem.structure) names.insert(structure.name);
  for (const auto& tensor : problem.tensors) names.insert(tensor.name);
  for (const auto& [function, arguments] : problem::term_functions()) names.insert(function);
  for (const auto& reference : problem.references) {
    if (!reference.check && reference.fills.empty()) names.insert(reference.name);
    for (const auto& index : reference.index) names.insert(index.name);
    for (const auto& index : reference.over) names.insert(index.name);
  }
  std::erase_if(names, [](const std::string& name) { return name.starts_with("podium"); });
  return {names.begin(), names.end()};
}

std::string explain(const FailedProgram& program,
                    const std::function<std::string(const std::string& text)>& compile) {
  Explanation explanation(program);
  std::string log = program.log;
  while (explanation.read(log) && compile && !explanation.is_full()) log = compile(explanation.corrected());
  return explanation.sentences();
}

}  // namespace podium::compile
