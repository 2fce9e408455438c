// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/formula/term_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "suite/base/nearest.hpp"
#include "suite/problem/formula/functions.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/formula/reference_terms.hpp"
#include "suite/problem/model/dtype.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

using Tokens = std::vector<Token>;

// Types that an expression may convert to, and C++'s own words in one.
constexpr std::array words = std::to_array<std::string_view>(
    {"double", "float",       "int",    "long", "unsigned", "signed", "short", "char", "bool",
     "i8",     "i16",         "i32",    "i64",  "u8",       "u16",    "u32",   "u64",  "true",
     "false",  "static_cast", "sizeof", "not",  "and",      "or",     "xor"});

constexpr std::size_t most_brackets = 128;  // brackets within each other; compilers have limits, too

bool is_symbol_at(const Tokens& tokens, std::size_t at, std::string_view text) {
  return at < tokens.size() && is_symbol(tokens[at], text);
}

// The bracket that has no partner, as a sentence; "" if all have.
std::string fault_of_brackets(const Tokens& tokens) {
  std::string open;
  for (const Token& token : tokens) {
    if (opens_bracket(token)) open += token.text;
    if (open.size() > most_brackets)
      return fmt::format("found brackets more than {} deep, expected fewer", most_brackets);
    if (!closes_bracket(token)) continue;
    const char partner = token.text == ")" ? '(' : token.text == "]" ? '[' : '{';
    if (open.empty() || open.back() != partner)
      return fmt::format("found \"{}\" without an opening \"{}\", expected one before it", token.text,
                         partner);
    open.pop_back();
  }
  if (open.empty()) return "";
  return fmt::format("found a \"{0}\" that is not closed, expected a \"{1}\" after it", open.back(),
                     open.back() == '('   ? ')'
                     : open.back() == '[' ? ']'
                                          : '}');
}

class Expression {
 public:
  Expression(const Tokens& tokens, const TermNames& names) : tokens_(tokens), names_(names) {}

  std::vector<std::string> faults() {
    for (std::size_t at = 0; at < tokens_.size(); ++at) {
      if (is_symbol_at(tokens_, at, ";"))
        found("found \";\", expected one expression; only the form code has statements");
      if (tokens_[at].kind == Token::Kind::name && !qualified(at)) name(at);
    }
    for (const Call& call : calls(tokens_)) {
      const auto function = term_functions().find(call.name);
      if (function == term_functions().end() || names_.arrays.contains(call.name) ||
          names_.numbers.contains(call.name) || qualified(call.token))
        continue;
      if (call.arguments != function->second)
        found(fmt::format("found {} with {}, expected {}", call.name,
                          fmt::format("{} argument{}", call.arguments, call.arguments == 1 ? "" : "s"),
                          function->second));
    }
    return std::move(faults_);
  }

 private:
  // A slip that is made twice is said once.
  void found(std::string sentence) {
    if (std::find(faults_.begin(), faults_.end(), sentence) == faults_.end())
      faults_.push_back(std::move(sentence));
  }

  // Of a namespace or of another object: the compiler's business.
  bool qualified(std::size_t at) const {
    return is_symbol_at(tokens_, at + 1, "::") ||
           (at > 0 && (is_symbol_at(tokens_, at - 1, "::") || is_symbol_at(tokens_, at - 1, ".")));
  }

  void name(std::size_t at) {
    const std::string& name = tokens_[at].text;
    const bool called = is_symbol_at(tokens_, at + 1, "(");
    if (names_.arrays.contains(name)) return called ? void() : bare(at);
    if (is_rounding_type(tokens_, at)) return rounding_type(name);
    if (names_.numbers.contains(name) || name == "infinity" || name.starts_with("__") || is_word(name))
      return;
    if (called) {
      if (!term_functions().contains(name) && !names_.draws.contains(name))
        found("unknown function: " + found_one_of(yaml::excerpt(name), callable()));
    } else if (term_functions().contains(name)) {
      found(fmt::format("found {} without arguments, expected a call", name));
    } else {
      std::vector<std::string> known(names_.numbers.begin(), names_.numbers.end());
      known.insert(known.end(), names_.arrays.begin(), names_.arrays.end());
      found("unknown name: " + found_one_of(yaml::excerpt(name), known));
    }
  }

  void rounding_type(const std::string& name) {
    std::vector<std::string> known(names_.types.begin(), names_.types.end());
    for (int dtype = 0; dtype < dtypes; ++dtype)
      if (const DtypeInfo& of = info(static_cast<Dtype>(dtype)); of.floating) known.emplace_back(of.name);
    if (std::find(known.begin(), known.end(), name) == known.end())
      found("unknown dtype of round_to: " + found_one_of(yaml::excerpt(name), known));
  }

  // A tensor, structure or reference without its indices: in segment(offsets, e) alone, or before a member.
  void bare(std::size_t at) {
    const std::string& name = tokens_[at].text;
    if (is_symbol_at(tokens_, at + 1, ".")) return;
    if (at >= 2 && is_symbol_at(tokens_, at - 1, "(") && tokens_[at - 2].text == "segment") return;
    if (is_symbol_at(tokens_, at + 1, "["))
      found(fmt::format("found {0}[…], expected parentheses around indices, as in {0}(i)", name));
    else
      found(fmt::format("found {0} without indices, expected an element, as in {0}(i)", name));
  }

  static bool is_word(std::string_view name) {
    return std::find(words.begin(), words.end(), name) != words.end();
  }

  std::vector<std::string> callable() const {
    std::vector<std::string> all(names_.arrays.begin(), names_.arrays.end());
    for (const auto& [name, arguments] : term_functions()) all.push_back(name);
    all.insert(all.end(), names_.draws.begin(), names_.draws.end());
    return all;
  }

  const Tokens& tokens_;
  const TermNames& names_;
  std::vector<std::string> faults_;
};

}  // namespace

const std::map<std::string, int>& term_functions() {
  static const std::map<std::string, int> all = [] {
    std::map<std::string, int> numbers;
    for (const Function& function : functions())
      if (function.term) numbers[function.name] = function.term->least;
    return numbers;
  }();
  return all;
}

bool is_rounding_type(const std::vector<Token>& tokens, std::size_t at) {
  return at >= 2 && is_symbol_at(tokens, at - 1, "(") && tokens[at - 2].text == "round_to" &&
         is_symbol_at(tokens, at + 1, ",");
}

std::vector<std::string> faults_of_term(const std::string& term, const TermNames& names, bool body) {
  const Tokens tokens = tokenise(term);
  if (std::string fault = fault_of_brackets(tokens); !fault.empty()) return {std::move(fault)};
  if (!tokens.empty() && is_symbol_at(tokens, tokens.size() - 1, "\\"))
    return {"found \"\\\" at the end, expected nothing behind the term"};
  const bool own_names = body || is_body(term) || term.find('{') != term.npos;
  return own_names ? std::vector<std::string>{} : Expression(tokens, names).faults();
}

}  // namespace podium::problem
