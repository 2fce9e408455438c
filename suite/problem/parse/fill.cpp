// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fills: their forms in the file.
#include <fmt/format.h>

#include <map>

#include "suite/base/nearest.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

// Two arguments a kind at most; `fallback` empty: it must be given.
struct Argument {
  std::string name, fallback;
};
struct FillForm {
  Fill::Kind kind;
  std::vector<Argument> arguments;
};
const std::map<std::string, FillForm> fills{
    {"normal", {Fill::Kind::normal, {{"mean", "0"}, {"stddev", "1"}}}},
    {"uniform", {Fill::Kind::uniform, {{"low", "0"}, {"high", "1"}}}},
    {"integers", {Fill::Kind::integers, {{"low", ""}, {"high", ""}}}},
    {"sequence", {Fill::Kind::sequence, {{"first", "0"}, {"step", "1"}}}},
    {"zeros", {Fill::Kind::zeros, {}}},
    {"ones", {Fill::Kind::ones, {}}},
    {"permutation", {Fill::Kind::permutation, {}}},
};
std::vector<std::string> names_of_fills() {
  std::vector<std::string> names = form("fill").names();
  const auto& forms = form("derived_fill").one_of;
  names.insert(names.end(), forms.begin(), forms.end());
  return names;
}

// "over: row" or "over: tensor"; rows where nothing is said.
void parse_permutation(const Cursor& arguments, Fill& fill) {
  if (!arguments.is_map()) return arguments.expected("a map, as in { over: row } or { over: tensor }");
  arguments.keys(form("permutation_fill"));
  const auto over = arguments.find("over");
  const auto word = over ? over->word("row or tensor") : std::nullopt;
  if (word && *word != "row" && *word != "tensor")
    over->mistake(found_one_of(yaml::excerpt(*word), words("over")));
  fill.over_tensor = word && *word == "tensor";
}

}  // namespace

std::optional<Fill> parse_fill(Parsing& parsing, const Cursor& cursor, const Tensor& tensor) {
  std::string name;
  std::optional<Cursor> arguments;
  if (is_derived_fill(cursor)) {  // parse_references() reads it
    Fill fill;
    fill.kind = Fill::Kind::derived;
    fill.reference = cursor.key();
    fill.at = cursor.at();
    fill.first = fill.second = {"0", cursor.at()};
    return fill;
  }
  if (cursor.is_map() && (cursor.find("value") || cursor.find("index")))
    return parse_value_fill(parsing, cursor, tensor);
  if (cursor.is_map()) {
    const auto fields = cursor.fields("");
    if (fields.size() == 1) {
      name = fields[0].name();
      arguments = fields[0];
    }
  } else if (cursor.is_scalar()) {
    name = cursor.word("a fill").value_or("");
  }
  if (name.empty()) {
    cursor.expected("one fill, as in { normal: { mean: 0, stddev: 1 } } or zeros");
    return std::nullopt;
  }
  const auto known = fills.find(name);
  if (known == fills.end()) {
    cursor.mistake("unknown fill: " + found_one_of(yaml::excerpt(name), names_of_fills()));
    return std::nullopt;
  }
  Fill fill;
  fill.kind = known->second.kind;
  fill.at = cursor.at();
  fill.first = fill.second = {"0", cursor.at()};
  std::vector<std::string> names;
  for (const Argument& argument : known->second.arguments) names.push_back(argument.name);
  if (fill.kind == Fill::Kind::permutation) {
    if (arguments && !arguments->is_null()) parse_permutation(*arguments, fill);
  } else if (arguments && !arguments->is_null()) {
    if (!arguments->is_map()) arguments->expected("a map of the fill's numbers");
    arguments->keys(names);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    Text& text = i == 0 ? fill.first : fill.second;
    const Argument& argument = known->second.arguments[i];
    const auto field = arguments ? arguments->find(argument.name) : std::nullopt;
    if (field)
      text = parse_formula(parsing, *field).value_or(text);
    else
      text.text = argument.fallback;
    if (text.text.empty()) {
      cursor.mistake(
          fmt::format("found {} without {}, expected both low and high (inclusive)", name, argument.name));
      return std::nullopt;
    }
  }
  return fill;
}

}  // namespace podium::problem
