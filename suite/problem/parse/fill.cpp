// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fills: their forms in the file, and whether a dtype holds what they draw.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
constexpr double normal_reach = 3.4642;  // standard deviations; suite/problem/program/fill.hpp
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

std::string fault_of_fill(const TensorInstance& tensor) {
  const DtypeInfo& dtype = info(tensor.dtype);
  const double first = tensor.fill_first, second = tensor.fill_second;
  double low = 0, high = 0;  // that the dtype must hold
  switch (tensor.fill) {
    case Fill::Kind::zeros:
      if (tensor.dtype != Dtype::e8m0) return "";
      break;
    case Fill::Kind::ones:
    case Fill::Kind::value:
    case Fill::Kind::derived:
      return "";
    case Fill::Kind::normal:
      if (second < 0) return fmt::format("found stddev {}, expected at least 0", second);
      low = high = first;
      // A scale has no sign: not even the lowest number drawn may reach zero. Of the others, those that do
      // not saturate would draw infinities.
      if (tensor.dtype == Dtype::e8m0 || dtype.bits > 8) low = first - normal_reach * second;
      if (dtype.bits > 8) high = first + normal_reach * second;
      break;
    case Fill::Kind::uniform:
    case Fill::Kind::integers:
      if (first > second) return fmt::format("found low {} above high {}, expected low first", first, second);
      if (!std::isfinite(second - first))
        return fmt::format("found numbers from {} to {}, expected a finite range between them", first,
                           second);
      low = first;
      high = second;
      break;
    case Fill::Kind::sequence: {
      const double last =
          first + second * static_cast<double>(std::max<std::int64_t>(tensor.elements - 1, 0));
      low = std::min(first, last);
      high = std::max(first, last);
      break;
    }
    case Fill::Kind::permutation: {
      const auto largest = static_cast<double>(std::max<std::int64_t>(tensor.fill_row - 1, 0));
      const double held = dtype.floating ? 2 / dtype.eps : dtype.largest;  // every whole number up to it
      if (tensor.dtype == Dtype::e8m0 && tensor.elements > 0)
        return "found a permutation, whose first number is 0, for e8m0, expected a dtype that holds 0";
      if (largest <= held) return "";
      return fmt::format(
          "found a permutation of {} numbers, expected at most {:.10g}: those that {} tells apart",
          tensor.fill_row, held + 1, dtype.name);
    }
  }
  const bool real = tensor.fill == Fill::Kind::normal || tensor.fill == Fill::Kind::uniform;
  if (real && !dtype.floating)
    return fmt::format("found {} for {}, expected integers, sequence, zeros or ones",
                       tensor.fill == Fill::Kind::normal ? "normal" : "uniform", dtype.name);
  const bool whole = first == std::floor(first) && second == std::floor(second);
  if (!whole && (tensor.fill == Fill::Kind::integers || !dtype.floating))
    return fmt::format("found {} and {}, expected whole numbers", first, second);
  constexpr auto exact = static_cast<double>(largest_whole);  // draws are integers of 64 bits
  if (tensor.fill == Fill::Kind::integers && (low < -exact || high > exact))
    return fmt::format("found integers from {:.10g} to {:.10g}, expected whole numbers below 2^53 in size",
                       low, high);
  const double least = lowest(tensor.dtype);
  if (low < least || high > dtype.largest)
    return fmt::format("found numbers from {:.10g} to {:.10g}, expected what {} holds: {:.10g} to {:.10g}",
                       low, high, dtype.name, least, dtype.largest);
  // Beyond 2 / eps one of two neighbours is not held, and would be drawn as another number.
  const double every = dtype.floating ? 2 / dtype.eps : dtype.largest;
  if (tensor.fill == Fill::Kind::integers && (low < -every || high > every) && dtype.floating &&
      !(low == high && represents(tensor.dtype, low)))
    return fmt::format(
        "found integers from {:.10g} to {:.10g}, expected those that {} holds: from {:.10g} to {:.10g} all, "
        "beyond only some",
        low, high, dtype.name, std::max(least, -every), every);
  return "";
}

}  // namespace podium::problem
