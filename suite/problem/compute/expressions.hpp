// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Names, elements and functions in the expressions of a `compute` text. Internal to Compute.
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
#include "suite/problem/compute/tree.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/formula/names.hpp"
#include "suite/problem/yaml/cursor.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {

class ComputeExpressions : protected ExpressionReader {
 protected:
  ComputeExpressions(ComputeTree& tree, const ComputeNames& names)
      : ExpressionReader(tokenise(tree.text.text), tree.nodes, 48), tree_(tree), names_(names) {
    if (tree.text.text.size() > longest)
      refuse(fmt::format("found {} characters, expected at most {}", tree.text.text.size(), longest));
    if (tokens_.empty()) refuse("found nothing, expected statements, as in \"for (b : batch) out(b) = 1;\"");
    open_scope();
  }
  ~ComputeExpressions() = default;

  static constexpr std::size_t longest = 8000;  // characters
  static constexpr std::size_t most_faults = 10;

  static const std::set<std::string, std::less<>>& keywords() {
    static const std::set<std::string, std::less<>> all{"auto", "for",    "while", "if",      "else",
                                                        "out",  "random", "break", "continue"};
    return all;
  }

  static std::string counted(int count) { return fmt::format("{} argument{}", count, count == 1 ? "" : "s"); }

  // ---- tokens

  void expect(std::string_view text, std::string_view where) {
    if (!take(text)) refuse(fmt::format("found {}, expected \"{}\" {}", found(), text, where));
  }
  int line() const {
    const auto& text = tree_.text.text;
    const std::size_t end = at_ < tokens_.size() ? tokens_[at_].at : text.find_last_not_of(" \n") + 1;
    return tree_.text.at.line +
           static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
  }
  [[noreturn]] void refuse(const std::string& sentence) const override { tree_.refuse(line(), sentence); }
  // A mistake behind which reading can go on.
  void note(const std::string& sentence) { note(ComputeError({tree_.text.at.file, line()}, sentence)); }
  void note(const ComputeError& fault) {
    if (faults_.size() + 1 >= most_faults) throw ComputeError(fault);
    faults_.push_back(fault);
  }

  // ---- nodes

  ComputeNode node(Kind kind, bool is_real = false) const override {
    ComputeNode made = ExpressionReader::node(kind, is_real);
    made.line = line();
    return made;
  }
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
      refuse(fmt::format("found \"{}\", which is in use here already, expected a new name", name));
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

  // ---- what expressions are made of

  int local(int slot) {
    ComputeNode made = node(Kind::local, tree_.locals[static_cast<std::size_t>(slot)].is_real);
    made.slot = slot;
    return keep(std::move(made));
  }

  int primary() override {
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
  int loops_ = 0;
  std::vector<std::map<std::string, int>> scopes_;
  std::vector<ComputeError> faults_;
};

}  // namespace podium::problem
