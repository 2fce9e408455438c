// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/docs/coverage.hpp"

#include <algorithm>
#include <string_view>

#include "suite/problem/formula/access.hpp"
#include "suite/problem/formula/fill_term.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/model/dtype.hpp"
#include "suite/problem/parse/format.hpp"
#include "suite/problem/yaml/yaml.hpp"

namespace podium::docs {
namespace {

using problem::Form;
using problem::Token;
using yaml::Node;

const Form* form_named(const std::string& name) {
  const auto& all = problem::forms();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Form& form) { return form.name == name; });
  return found == all.end() ? nullptr : &*found;
}

bool is_words(const std::string& name) {
  const auto& all = problem::word_lists();
  return std::any_of(all.begin(), all.end(), [&](const auto& list) { return list.name == name; });
}

class Walk {
 public:
  Walk(Coverage& coverage, const Node& root) : coverage_(coverage) {
    if (const Node* structure = root.find("structure"))
      for (const Node& child : structure->children) structures_.insert(child.key);
    map(root, *form_named("problem"));
  }

 private:
  void value(const Node& node, const std::string& holds) {
    const auto parts = problem::alternatives(holds);
    if (parts.size() > 1) {
      for (const std::string_view part : parts)
        if (fits(node, std::string(part))) return value(node, std::string(part));
      return;
    }
    const std::string inner = holds.size() > 2 ? holds.substr(1, holds.size() - 2) : "";
    if (holds.starts_with('[') || holds.starts_with('{'))
      for (const Node& child : node.children) value(child, inner);
    else if (holds == "fill")
      fill(node);
    else if (const Form* form = form_named(holds); form && node.kind == Node::Kind::map)
      map(node, *form);
    else if (is_words(holds))
      coverage_.words.insert(holds + "." + node.text);
    else
      scalar(node, holds);
  }

  static bool fits(const Node& node, const std::string& holds) {
    switch (node.kind) {
      case Node::Kind::list:
        return holds.starts_with('[') || holds == "range";
      case Node::Kind::map:
        return holds.starts_with('{') || (form_named(holds) && has_needed(node, *form_named(holds)));
      case Node::Kind::null:
        return holds == "null";
      case Node::Kind::scalar:
        return !holds.starts_with('[') && !holds.starts_with('{') && !form_named(holds);
    }
    return false;
  }

  static bool has_needed(const Node& node, const Form& form) {
    return std::ranges::all_of(form.keys,
                               [&](const auto& key) { return !key.needed || node.find(key.name); });
  }

  void map(const Node& node, const Form& form) {
    for (const Node& child : node.children) {
      const auto key = std::find_if(form.keys.begin(), form.keys.end(),
                                    [&](const auto& one) { return one.name == child.key; });
      if (key == form.keys.end()) {
        value(child, form.others);
        continue;
      }
      coverage_.keys.insert(form.name + "." + key->name);
      if (form.name == "tensor" && key->name == "dtype") dtype(child.text);
      if (form.name == "structure" && key->name == "compute")
        compute(child.text);
      else if (form.name == "value_fill" && key->name == "value")
        note(child.text, coverage_.fills);
      else
        value(child, key->holds);
    }
  }

  // One word, a map with one key, a term of draws with its indices, or a reference.
  void fill(const Node& node) {
    if (node.kind == Node::Kind::scalar)
      coverage_.keys.insert("fill." + node.text);
    else
      map(node, *form_named(node.find("index") ? direct(node) ? "value_fill" : "derived_fill" : "fill"));
  }
  static bool direct(const Node& node) {
    const auto& known = problem::fill_functions();
    const auto calls =
        node.find("value") ? problem::accesses(node.find("value")->text) : std::vector<problem::Access>{};
    return node.find("value") && std::all_of(calls.begin(), calls.end(), [&](const auto& call) {
             return std::find(known.begin(), known.end(), call.name) != known.end();
           });
  }

  void scalar(const Node& node, const std::string& holds) {
    if (holds == "dtype") dtype(node.text);
    if (holds == "formula") formula(node.text);
    if (holds == "term") note(node.text, coverage_.terms);
    if (holds != "range") return;
    if (node.kind == Node::Kind::map) return map(node, *form_named("range_map"));
    for (const Node& bound : node.children) note(bound.text, coverage_.terms), formula(bound.text);
    if (node.children.empty()) note(node.text, coverage_.terms), formula(node.text);
  }

  void dtype(const std::string& word) {
    if (problem::dtype_named(word)) coverage_.words.insert("dtype." + word);
  }

  static void note(const std::string& text, std::set<std::string>& into) {
    for (const Token& token : problem::tokenise(text)) into.insert(token.text);
  }

  void formula(const std::string& text) {
    note(text, coverage_.formulas);
    const auto tokens = problem::tokenise(text);
    for (std::size_t at = 0; at + 2 < tokens.size(); ++at)
      if (tokens[at + 1].text == "(" && structures_.contains(tokens[at + 2].text) &&
          tokens[at].kind == Token::Kind::name)
        coverage_.formulas.insert(tokens[at].text + "()");
  }

  // Tokens, "random.NAME" and "+=".
  void compute(const std::string& text) {
    note(text, coverage_.compute);
    const auto tokens = problem::tokenise(text);
    for (std::size_t at = 0; at + 1 < tokens.size(); ++at) {
      if (tokens[at].text == "random" && at + 2 < tokens.size())
        coverage_.compute.insert("random." + tokens[at + 2].text);
      if (tokens[at + 1].text == "=" && tokens[at + 1].at == tokens[at].at + 1)
        coverage_.compute.insert(tokens[at].text + "=");
      if ((tokens[at].text == "min" || tokens[at].text == "max") && at + 2 < tokens.size() &&
          structures_.contains(tokens[at + 2].text))
        coverage_.compute.insert(tokens[at].text + "()");
    }
  }

  Coverage& coverage_;
  std::set<std::string> structures_;
};

}  // namespace

void Coverage::add(const std::string& yaml) { Walk(*this, yaml::parse(yaml, "problem.yaml")); }

}  // namespace podium::docs
