// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fills: their forms in the file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "suite/base/nearest.hpp"
#include "suite/problem/fills/fills.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

std::vector<std::string> names_of_fills() {
  std::vector<std::string> names = form("fill").names();
  const auto& forms = form("derived_fill").one_of;
  names.insert(names.end(), forms.begin(), forms.end());
  return names;
}

// The arguments of a ready-made fill into `fill`; whether all that must be given are.
bool parse_arguments(Parsing& parsing, const Cursor& cursor, const std::optional<Cursor>& given, Fill& fill) {
  const ReadyFill& ready = *fill.ready;
  const bool present = given && !given->is_null();
  if (ready.parse) {
    if (present) ready.parse(*given, fill);
    return true;
  }
  std::vector<std::string> names;
  for (const FillArgument& argument : ready.arguments) names.push_back(argument.name);
  if (present && !given->is_map()) given->expected("a map of the fill's numbers");
  if (present) given->keys(names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    Text& text = i == 0 ? fill.first : fill.second;
    if (const auto field = given ? given->find(names[i]) : std::nullopt)
      text = parse_formula(parsing, *field).value_or(text);
    else
      text.text = ready.arguments[i].fallback;
    if (!text.text.empty()) continue;
    cursor.mistake(fmt::format("found {} without {}, expected both {} (inclusive)", ready.name, names[i],
                               fmt::join(names, " and ")));
    return false;
  }
  return true;
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
  const ReadyFill* const known = ready_fill(name);
  if (!known) {
    cursor.mistake("unknown fill: " + found_one_of(yaml::excerpt(name), names_of_fills()));
    return std::nullopt;
  }
  Fill fill;
  fill.ready = known;
  fill.at = cursor.at();
  fill.first = fill.second = {"0", cursor.at()};
  if (!parse_arguments(parsing, cursor, arguments, fill)) return std::nullopt;
  return fill;
}

}  // namespace podium::problem
