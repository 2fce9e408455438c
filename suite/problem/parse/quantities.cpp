// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Constants, axes, parameters, types and conditions: what a workload's numbers are made of.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/problem/formula/dependency.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/problem/yaml/utf8.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::problem {
namespace {

constexpr std::size_t most_choices = 64, most_constants = 64;

// A computed axis may use constants, parameters and other axes, but not itself.
void refuse_cycles(Parsing& parsing, const std::vector<Cursor>& fields) {
  const auto& axes = parsing.problem.axes;
  const auto cycle = dependency_order(uses_of_axes(parsing.problem)).cycle;
  if (cycle.empty()) return;
  std::string ring;
  for (const std::size_t axis : cycle) ring += axes[axis].name + " → ";
  for (const Cursor& field : fields)
    if (field.name() == axes[cycle[0]].name)
      field.mistake(
          fmt::format("found a cycle of formulas ({}{}), expected formulas that do not depend on themselves",
                      ring, axes[cycle[0]].name));
}

void append(std::string& name, Dtype dtype) {
  if (!name.empty()) name += '-';
  name += info(dtype).name;
}

std::vector<Choice> product(const std::vector<std::pair<std::string, std::vector<Dtype>>>& lists) {
  std::vector<Choice> choices{{}};
  for (const auto& [key, dtypes] : lists) {
    std::vector<Choice> longer;
    for (const Choice& choice : choices) {
      for (const Dtype dtype : dtypes) {
        if (longer.size() > most_choices) return longer;
        longer.push_back(choice);
        longer.back().types[key] = dtype;
        append(longer.back().name, dtype);
      }
    }
    choices = std::move(longer);
  }
  return choices;
}

// Each choice once for every number of ranks.
std::vector<Choice> with_ranks(const std::vector<Choice>& choices, const std::vector<int>& ranks) {
  std::vector<Choice> all;
  for (const Choice& choice : choices)
    for (const int number : ranks) {
      all.push_back(choice);
      all.back().ranks = number;
      all.back().name = fmt::format("{}{}{}ranks", choice.name, choice.name.empty() ? "" : "-", number);
    }
  return all;
}

std::vector<Choice> types_of_map(Parsing& parsing, const Cursor& types) {
  std::vector<std::pair<std::string, std::vector<Dtype>>> lists;
  for (const Cursor& field : types.fields("a map of lists of dtypes")) {
    const bool named = parsing.names.declare(field, field.name(), "type");
    std::vector<Dtype> dtypes;
    const auto items = field.items("a list of dtypes, as in [f32, bf16]");
    for (const Cursor& item : items) {
      const auto dtype = parse_dtype(item);
      if (dtype && std::find(dtypes.begin(), dtypes.end(), *dtype) != dtypes.end())
        item.mistake("found a dtype that the list already has, expected each once");
      else if (dtype)
        dtypes.push_back(*dtype);
    }
    if (field.is_list() && items.empty()) field.mistake("found no dtype, expected at least one");
    if (named && !dtypes.empty()) lists.emplace_back(field.name(), std::move(dtypes));
  }
  return lists.empty() ? std::vector<Choice>{} : product(lists);
}

std::vector<Choice> types_of_list(Parsing& parsing, const Cursor& types) {
  std::vector<Choice> choices;
  std::set<std::string> seen;
  std::vector<std::string> keys;
  for (const Cursor& item : types.items("a list of choices")) {
    Choice choice;
    const auto fields = item.fields("a complete choice, as in { in: f16, out: f32 }");
    if (choices.empty() && keys.empty())
      for (const Cursor& field : fields)
        if (parsing.names.declare(field, field.name(), "type")) keys.push_back(field.name());
    item.keys(keys);
    for (const std::string& key : keys) {
      const auto field = item.need(key, "a dtype: every choice names the same keys");
      const auto dtype = field ? parse_dtype(*field) : std::nullopt;
      if (!dtype) continue;
      choice.types[key] = *dtype;
      append(choice.name, *dtype);
    }
    if (choice.types.size() != keys.size() || choice.types.empty()) continue;
    if (!seen.insert(choice.name).second)
      item.mistake("found a choice that the list already has, expected each once");
    choices.push_back(std::move(choice));
    if (choices.size() > most_choices) break;
  }
  return choices;
}

}  // namespace

const std::vector<std::string>& dtype_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> names;
    for (int i = 0; i < dtypes; ++i) names.emplace_back(info(static_cast<Dtype>(i)).name);
    return names;
  }();
  return names;
}

std::optional<Dtype> parse_dtype(const Cursor& cursor, const std::vector<std::string>& more) {
  const auto word = cursor.word("a dtype");
  if (!word) return std::nullopt;
  if (const auto dtype = dtype_named(*word)) return dtype;
  std::vector<std::string> names = dtype_names();
  names.insert(names.end(), more.begin(), more.end());
  cursor.mistake("unknown dtype: " + found_one_of(yaml::excerpt(*word), names));
  return std::nullopt;
}

// What a formula calls whose elements only the judge's program knows; "" if there is none.
std::string elements_in(const Parsing& parsing, const std::string& formula) {
  for (const Call& call : calls(tokenise(formula))) {
    if (parsing.scope.structure.contains(call.name)) continue;
    if (parsing.names.what_is(call.name) == "tensor") return call.name + ", a tensor";
    if (parsing.referable.contains(call.name)) return call.name + ", a reference";
  }
  return "";
}

std::optional<Text> parse_formula(Parsing& parsing, const Cursor& cursor, std::string_view instead) {
  auto text = cursor.text("a number or a formula");
  if (!text) return std::nullopt;
  try {
    evaluate(text->text, parsing.scope);
    return text;
  } catch (const Error& error) {
    if (parsing.names.mentions_doubtful(text->text)) return std::nullopt;
    const std::string elements = elements_in(parsing, text->text);
    cursor.mistake(
        elements.empty()
            ? error.what()
            : fmt::format("in \"{}\" found {}, expected a formula over axes, parameters, constants "
                          "and structure{}",
                          yaml::excerpt(text->text), elements, instead));
    return std::nullopt;
  }
}

void parse_constants(Parsing& parsing, const Cursor& root) {
  const auto constants = root.find("constants");
  if (!constants) return;
  if (!constants->is_map()) parsing.names.doubt_declared(*constants);
  for (const Cursor& field : constants->fields("a map from names to numbers")) {
    const auto value = field.number("a number");
    if (!parsing.names.declare(field, field.name(), "constant")) continue;
    parsing.scope.numbers[field.name()] = 1;
    if (!value) continue;
    const bool whole = core_number(field.raw())->integer;
    if (whole && std::fabs(*value) > static_cast<double>(largest_whole))
      field.expected("a whole number below 2^53, or one with a decimal point");
    parsing.problem.constants.push_back({field.name(), *value, whole});
  }
  if (parsing.problem.constants.size() > most_constants)
    constants->mistake(fmt::format("found {} constants, expected at most {}",
                                   parsing.problem.constants.size(), most_constants));
}

void parse_axes(Parsing& parsing, const Cursor& root) {
  const auto axes = root.find("axes");
  if (!axes) return;
  if (!axes->is_list() && !axes->is_map()) {
    parsing.names.doubt_declared(*axes);
    return axes->expected("a list of names, or a map from names to formulas");
  }
  const auto fields = axes->is_list() ? axes->items("") : axes->fields("");
  auto& list = parsing.problem.axes;
  for (const Cursor& field : fields) {
    const auto name = axes->is_list() ? field.word("an axis's name") : std::optional(field.name());
    if (!name || !parsing.names.declare(field, *name, "axis")) continue;
    parsing.scope.numbers[*name] = 1;
    list.push_back({*name, std::nullopt});
  }
  if (list.size() > protocol::max_axes)
    return axes->mistake(fmt::format("found {} axes, expected at most {}", list.size(), protocol::max_axes));
  if (axes->is_list()) return;
  for (auto& axis : list) {
    const auto field = axes->find(axis.name);
    if (!field->is_null())
      axis.formula = field->text("a number or a formula, or nothing for workloads to set");
  }
}

void parse_ranks(Parsing& parsing, const Cursor& root) {
  const auto ranks = root.find("ranks");
  if (!ranks) return;
  const std::string what = fmt::format("a whole number from 2 to {}", protocol::max_ranks);
  for (const Cursor& item : ranks->items("a list of how many devices compute together, as in [2, 4, 8]")) {
    const auto number = item.whole(what, 2, protocol::max_ranks);
    if (!number) continue;
    if (std::ranges::find(parsing.ranks, static_cast<int>(*number)) != parsing.ranks.end())
      item.mistake("found a number that the list already has, expected each once");
    else
      parsing.ranks.push_back(static_cast<int>(*number));
  }
  if (ranks->is_list() && ranks->items("").empty())
    ranks->mistake("found no number, expected at least one; leave the key out for a problem of one device");
  if (parsing.ranks.empty()) parsing.ranks.push_back(2);  // what could not be read is that to what follows
  parsing.scope.numbers["ranks"] = 2;
  parsing.problem.axes.push_back({.name = "ranks", .formula = std::nullopt, .ranks = true});
}

void parse_symmetric(Parsing& parsing, const Cursor& root) {
  const auto symmetric = root.find("symmetric");
  if (!symmetric) return;
  if (!root.find("ranks"))
    return symmetric->mistake(
        "found memory that all ranks reach, and no key ranks; expected both or neither");
  parsing.problem.symmetric = parse_formula(parsing, *symmetric);
}

void parse_parameters(Parsing& parsing, const Cursor& root) {
  const auto parameters = root.find("parameters");
  if (parameters) {
    if (!parameters->is_map()) parsing.names.doubt_declared(*parameters);
    for (const Cursor& field : parameters->fields("a map from names to f32 or f64")) {
      if (!parsing.names.declare(field, field.name(), "parameter")) continue;
      parsing.scope.numbers[field.name()] = 1;
      const auto dtype = parse_dtype(field);
      if (dtype && *dtype != Dtype::f32 && *dtype != Dtype::f64) field.expected("f32 or f64");
      parsing.problem.parameters.push_back({field.name(), dtype.value_or(Dtype::f32)});
    }
    const std::size_t count = parsing.problem.parameters.size();
    if (count > protocol::max_parameters)
      parameters->mistake(
          fmt::format("found {} parameters, expected at most {}", count, protocol::max_parameters));
  }
  // Only now is every number known that an axis's formula may use.
  const auto axes = root.find("axes");
  if (!axes || !axes->is_map()) return;
  const auto fields = axes->fields("");
  for (const Cursor& field : fields)
    if (!field.is_null()) parse_formula(parsing, field);
  refuse_cycles(parsing, fields);
}

void parse_types(Parsing& parsing, const Cursor& root) {
  auto& choices = parsing.problem.choices;
  if (const auto types = root.find("types")) {
    if (types->is_map())
      choices = types_of_map(parsing, *types);
    else if (types->is_list())
      choices = types_of_list(parsing, *types);
    else {
      parsing.names.doubt_declared(*types);
      types->expected("a map, as in { real: [f32, bf16] }, or a list of complete choices");
    }
    if (choices.size() > most_choices) {
      types->mistake(
          fmt::format("found more than {} choices, expected at most that; each is a board", most_choices));
      choices.resize(most_choices);
    }
  }
  if (!parsing.ranks.empty()) {
    choices = with_ranks(choices.empty() ? std::vector<Choice>{{}} : choices, parsing.ranks);
    if (choices.size() > most_choices)
      root.find("ranks")->mistake(fmt::format("found {} boards of types and ranks, expected at most {}",
                                              choices.size(), most_choices));
  }
  if (choices.empty()) choices.push_back({{}, "fixed"});
  for (Choice& choice : choices)  // a key whose dtypes could not be read is f32 to what follows
    for (const std::string& key : parsing.names.all("type")) choice.types.try_emplace(key, Dtype::f32);
  for (const auto& [key, dtype] : choices[0].types) parsing.scope.types[key] = dtype;
}

void parse_conditions(Parsing& parsing, const Cursor& root) {
  const auto conditions = root.find("conditions");
  if (!conditions) return;
  for (const Cursor& item : conditions->items("a list of formulas, as in [\"cols > 0\"]"))
    if (const auto formula = parse_formula(parsing, item)) parsing.problem.conditions.push_back(*formula);
}

}  // namespace podium::problem
