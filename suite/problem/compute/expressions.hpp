// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Tokens, names and expressions of a `compute` text, read by recursive descent. Internal to Compute.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "suite/base/nearest.hpp"
#include "suite/problem/compute/functions.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/formula/names.hpp"
#include "suite/problem/yaml/cursor.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {

class ComputeExpressions {
 protected:
  ComputeExpressions(ComputeTree& tree, const ComputeNames& names)
      : tree_(tree), names_(names), tokens_(tokenise(tree.text.text)) {
    if (tree.text.text.size() > longest)
      refuse(fmt::format("found {} characters, expected at most {}", tree.text.text.size(), longest));
    if (tokens_.empty()) refuse("found nothing, expected statements, as in \"for (b : batch) out(b) = 1;\"");
    open_scope();
  }

  using Kind = ComputeNode::Kind;
  static constexpr std::size_t longest = 8000;  // characters
  static constexpr int deepest = 48;            // statements and parentheses within each other
  static constexpr std::size_t most_faults = 10;

  static const std::set<std::string, std::less<>>& keywords() {
    static const std::set<std::string, std::less<>> all{"auto", "for",    "while", "if",      "else",
                                                        "out",  "random", "break", "continue"};
    return all;
  }

  static std::string counted(int count) { return fmt::format("{} argument{}", count, count == 1 ? "" : "s"); }

  // ---- tokens

  bool is(std::string_view text) const { return is_at(at_, text); }
  bool is_at(std::size_t at, std::string_view text) const {
    return at < tokens_.size() && tokens_[at].kind != Token::Kind::literal && tokens_[at].text == text;
  }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view text, std::string_view where) {
    if (!take(text)) refuse(fmt::format("found {}, expected \"{}\" {}", found(), text, where));
  }
  std::string found() const {
    return at_ < tokens_.size() ? fmt::format("\"{}\"", yaml::excerpt(tokens_[at_].text)) : "the end";
  }
  int line() const {
    const auto& text = tree_.text.text;
    const std::size_t end = at_ < tokens_.size() ? tokens_[at_].at : text.find_last_not_of(" \n") + 1;
    return tree_.text.at.line +
           static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
  }
  [[noreturn]] void refuse(const std::string& sentence) const { tree_.refuse(line(), sentence); }
  // A mistake behind which reading can go on.
  void note(const std::string& sentence) { note(ComputeError({tree_.text.at.file, line()}, sentence)); }
  void note(const ComputeError& fault) {
    if (faults_.size() + 1 >= most_faults) throw ComputeError(fault);
    faults_.push_back(fault);
  }

  // ---- nodes

  ComputeNode node(Kind kind, bool is_real = false) const {
    ComputeNode made;
    made.kind = kind;
    made.is_real = is_real;
    made.line = line();
    return made;
  }
  int keep(ComputeNode made) {
    tree_.nodes.push_back(std::move(made));
    return static_cast<int>(tree_.nodes.size()) - 1;
  }
  bool real(int child) const { return tree_.nodes[static_cast<std::size_t>(child)].is_real; }
  int binary(Kind kind, int a, int b, bool common = true) {
    ComputeNode made = node(kind, common && (real(a) || real(b)));
    made.children = {a, b};
    return keep(std::move(made));
  }

  struct Deeper {
    explicit Deeper(ComputeExpressions& reader) : reader_(reader) {
      if (reader_.depth_ >= deepest)
        reader_.refuse(
            fmt::format("found statements or parentheses more than {} deep, expected fewer", deepest));
      ++reader_.depth_;
    }
    ~Deeper() { --reader_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ComputeExpressions& reader_;
  };

  // ---- names

  void open_scope() { scopes_.emplace_back(); }
  void close_scope() { scopes_.pop_back(); }
  int local_named(const std::string& name) const {
    for (std::size_t s = scopes_.size(); s-- > 0;)
      if (const auto known = scopes_[s].find(name); known != scopes_[s].end()) return known->second;
    return -1;
  }
  int declare(bool is_real) {
    if (at_ >= tokens_.size() || tokens_[at_].kind != Token::Kind::name)
      refuse(fmt::format("found {}, expected a name", found()));
    const std::string name = tokens_[at_].text;
    if (keywords().contains(name) || names_.numbers.contains(name) || names_.structure.contains(name) ||
        local_named(name) >= 0)
      refuse(fmt::format("found \"{}\", which has a meaning here already, expected a new name", name));
    if (const std::string fault = fault_of_name(name); !fault.empty())
      refuse(fmt::format("found \"{}\", {}", yaml::excerpt(name), fault));
    ++at_;
    return keep_local(name, is_real);
  }
  int keep_local(const std::string& name, bool is_real) {
    tree_.locals.push_back({name, is_real});
    return scopes_.back()[name] = static_cast<int>(tree_.locals.size()) - 1;
  }
  void unknown(const std::string& name) {
    std::vector<std::string> all{"out"};
    for (const auto& [known, value] : names_.numbers) all.push_back(known);
    for (const auto& [known, value] : names_.structure) all.push_back(known);
    for (const auto& scope : scopes_)
      for (const auto& [known, slot] : scope) all.push_back(known);
    note("unknown name: " + found_one_of(yaml::excerpt(name), all));
  }
  // Behind a name that is not known: stands for its value, with what may be its arguments.
  int value_of_unknown() {
    ++at_;
    if (take("(") && !take(")")) {
      do expression();
      while (take(","));
      expect(")", "behind arguments");
    }
    return keep(node(Kind::whole));
  }
  static int slot_of(std::vector<std::string>& list, const std::string& name) {
    const auto known = std::find(list.begin(), list.end(), name);
    if (known != list.end()) return static_cast<int>(known - list.begin());
    list.push_back(name);
    return static_cast<int>(list.size()) - 1;
  }

  // ---- expressions, loosest first

  int local(int slot) {
    ComputeNode made = node(Kind::local, tree_.locals[static_cast<std::size_t>(slot)].is_real);
    made.slot = slot;
    return keep(std::move(made));
  }

  int expression() {
    const Deeper deeper(*this);
    const int what = either();
    if (!take("?")) return what;
    const int yes = expression();
    expect(":", "between the two values of \"?\"");
    const int no = expression();
    ComputeNode made = node(Kind::choose, real(yes) || real(no));
    made.children = {what, yes, no};
    return keep(std::move(made));
  }
  int either() {
    int left = both();
    while (take("||")) left = binary(Kind::either, left, both(), false);
    return left;
  }
  int both() {
    int left = equality();
    while (take("&&")) left = binary(Kind::both, left, equality(), false);
    return left;
  }
  int equality() {
    int left = order();
    for (;;) {
      if (take("=="))
        left = binary(Kind::equal, left, order(), false);
      else if (take("!="))
        left = binary(Kind::not_equal, left, order(), false);
      else
        return left;
    }
  }
  int order() {
    int left = sum();
    for (;;) {
      if (take("<")) {
        left = binary(Kind::less, left, sum(), false);
      } else if (take("<=")) {
        left = binary(Kind::less_equal, left, sum(), false);
      } else if (take(">")) {
        const int right = sum();
        left = binary(Kind::less, right, left, false);
      } else if (take(">=")) {
        const int right = sum();
        left = binary(Kind::less_equal, right, left, false);
      } else {
        return left;
      }
    }
  }
  int sum() {
    int left = product();
    for (;;) {
      if (take("+"))
        left = binary(Kind::add, left, product());
      else if (take("-"))
        left = binary(Kind::subtract, left, product());
      else
        return left;
    }
  }
  int product() {
    int left = sign();
    for (;;) {
      if (take("*"))
        left = binary(Kind::multiply, left, sign());
      else if (take("/"))
        left = binary(Kind::divide, left, sign());
      else if (is("%"))
        left = remainder(left);
      else
        return left;
    }
  }
  int remainder(int left) {
    ++at_;
    return binary(Kind::remainder, left, sign(), false);
  }
  int sign() {
    const Deeper deeper(*this);
    if (take("+")) return sign();
    const bool negative = is("-");
    if (!negative && !is("!")) return primary();
    ComputeNode made = node(negative ? Kind::negative : Kind::not_);
    ++at_;
    const int operand = sign();
    made.is_real = negative && real(operand);
    made.children = {operand};
    return keep(std::move(made));
  }

  int primary() {
    if (at_ >= tokens_.size()) refuse("found the end, expected a number, a name or \"(\"");
    const Token& token = tokens_[at_];
    if (token.kind == Token::Kind::number) return number();
    if (token.kind == Token::Kind::name) return named();
    if (!take("(")) refuse(fmt::format("found {}, expected a number, a name or \"(\"", found()));
    const int inner = expression();
    expect(")", "behind an expression");
    return inner;
  }

  int number() {
    const auto value = core_number(tokens_[at_].text);
    if (!value || (value->integer && std::abs(value->value) > static_cast<double>(largest_whole)))
      refuse(fmt::format("found {}, expected a number, whole ones below 2^53", found()));
    ComputeNode made = node(value->integer ? Kind::whole : Kind::real, !value->integer);
    made.whole = value->integer ? static_cast<std::int64_t>(value->value) : 0;
    made.real = value->value;
    ++at_;
    return keep(std::move(made));
  }

  std::vector<int> indices(const std::string& name, std::size_t rank) {
    std::vector<int> index;
    expect("(", fmt::format("behind {}, as in {}(0)", name, name));
    if (!is(")")) do
        index.push_back(expression());
      while (take(","));
    expect(")", fmt::format("behind the indices of {}", name));
    if (index.size() != rank)
      note(fmt::format("found {} with {} {}, expected {}", name, index.size(),
                       index.size() == 1 ? "index" : "indices", rank));
    return index;
  }

  int named() {
    const std::string name = tokens_[at_].text;
    if (name == "out") return element(Kind::out, -1, name, names_.out);
    if (name == "random") return random();
    if (const int slot = local_named(name); slot >= 0) {
      ++at_;
      return local(slot);
    }
    if (const auto known = names_.numbers.find(name); known != names_.numbers.end()) {
      ComputeNode made = node(Kind::number, known->second);
      made.slot = slot_of(tree_.numbers, name);
      ++at_;
      return keep(std::move(made));
    }
    if (const auto known = names_.structure.find(name); known != names_.structure.end())
      return element(Kind::element, slot_of(tree_.structures, name), name, known->second);
    if (const auto known = compute_number_functions().find(name); known != compute_number_functions().end())
      return call(name, known->second);
    if (is_at(at_ + 1, "(")) {
      std::vector<std::string> all = compute_functions();
      for (const auto& [other, array] : names_.structure) all.push_back(other);
      note("unknown function: " + found_one_of(yaml::excerpt(name), all));
    } else {
      unknown(name);
    }
    return value_of_unknown();
  }

  int element(Kind kind, int slot, const std::string& name, const ComputeNames::Array& array) {
    ComputeNode made = node(kind, array.real);
    made.slot = slot;
    ++at_;
    made.children = indices(name, array.rank);
    return keep(std::move(made));
  }

  int random() {
    if (!is_at(at_ + 1, ".") || at_ + 2 >= tokens_.size())
      refuse("found random alone, expected one of its functions, as in random.below(10)");
    at_ += 2;
    const std::string name = tokens_[at_].text;
    const auto known = compute_random_functions().find(name);
    if (known != compute_random_functions().end()) return call("random." + name, known->second);
    if (name == "permutation" || name == "ascending")
      refuse(fmt::format("found random.{} in an expression, expected it as a statement", name));
    std::vector<std::string> all;
    for (const auto& [other, function] : compute_random_functions()) all.push_back(other);
    note("unknown function of random: " + found_one_of(yaml::excerpt(name), all));
    return value_of_unknown();
  }

  // max(length) and min(length) of one structure are over its elements; of several numbers, the largest.
  int over_structure(const std::string& name) {
    if (name != "max" && name != "min") return -1;
    if (at_ + 3 >= tokens_.size() || !is_at(at_ + 1, "(") || !is_at(at_ + 3, ")")) return -1;
    return names_.structure.contains(tokens_[at_ + 2].text) ? 1 : -1;
  }

  int call(const std::string& name, ComputeFunction function) {
    if (over_structure(name) > 0)
      function = {name == "max" ? Kind::maximum_of : Kind::minimum_of, 1, 1, ComputeResult::common, 1};
    ComputeNode made = node(function.kind);
    ++at_;
    expect("(", fmt::format("behind {}", name));
    bool any_real = false;
    int count = 0;
    if (!is(")")) do {
        if (++count <= function.structures) {
          const std::string array = at_ < tokens_.size() ? tokens_[at_].text : "";
          const auto known = names_.structure.find(array);
          if (known == names_.structure.end())
            refuse(fmt::format("found {} in {}(…), expected structure computed above", found(), name));
          if (function.kind == Kind::segment && (known->second.rank != 1 || known->second.real))
            refuse(fmt::format("found {} in segment(…), expected whole offsets along one axis", array));
          made.slot = slot_of(tree_.structures, array);
          any_real |= known->second.real;
          ++at_;
        } else {
          made.children.push_back(expression());
          any_real |= real(made.children.back());
        }
      } while (take(","));
    expect(")", fmt::format("behind the arguments of {}", name));
    if (count < function.least || count > function.most)
      note(fmt::format("found {} with {}, expected {}", name, counted(count),
                       function.least == function.most
                           ? counted(function.least)
                           : fmt::format("{} to {}", function.least, function.most)));
    made.is_real =
        function.result == ComputeResult::real || (function.result == ComputeResult::common && any_real);
    return keep(std::move(made));
  }

  ComputeTree& tree_;
  const ComputeNames& names_;
  const std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0, loops_ = 0;
  std::vector<std::map<std::string, int>> scopes_;
  std::vector<ComputeError> faults_;
};

}  // namespace podium::problem
