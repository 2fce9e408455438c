// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fills: ready-made ones, those by `value`, and derived ones, which are read with the references.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "suite/base/nearest.hpp"
#include "suite/problem/fills/fills.hpp"
#include "suite/problem/formula/access.hpp"
#include "suite/problem/formula/fill_term.hpp"
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

std::optional<Fill> parse_value_fill(Parsing& parsing, const Cursor& cursor, const Tensor& tensor) {
  const std::size_t before = parsing.mistakes.count();
  Fill fill;
  fill.kind = Fill::Kind::value;
  fill.at = cursor.at();
  fill.first = fill.second = {"0", cursor.at()};
  cursor.keys(form("value_fill"));
  if (const auto index =
          cursor.need("index", "the tensor's indices in the order of its shape, as in [i, j]")) {
    for (const Cursor& item : index->items("a list of names, as in [i, j]")) {
      const auto name = item.word("an index's name");
      if (!name || !parsing.names.declare(item, *name, "index")) continue;
      if (std::find(fill.index.begin(), fill.index.end(), *name) != fill.index.end())
        item.mistake(fmt::format("found the index {} twice in one fill, expected each once", *name));
      fill.index.push_back(*name);
    }
    if (index->is_list() && parsing.mistakes.count() == before && fill.index.size() != tensor.shape.size())
      index->mistake(fmt::format("found {} {}, expected {}: one for every axis of {}", fill.index.size(),
                                 fill.index.size() == 1 ? "index" : "indices", tensor.shape.size(),
                                 tensor.name));
  }
  const auto value = cursor.need("value", "a C++ expression, as in \"random(0) * 2 - 1\"");
  if (const auto term = value ? value->text("a C++ expression") : std::nullopt) {
    fill.term = *term;
    std::vector<std::string> known = fill.index;
    for (const auto& axis : parsing.problem.axes) known.push_back(axis.name);
    for (const auto& parameter : parsing.problem.parameters) known.push_back(parameter.name);
    for (const auto& constant : parsing.problem.constants) known.push_back(constant.name);
    known.emplace_back("infinity");
    if (parsing.mistakes.count() == before)
      for (const std::string& fault : faults_of_fill_term(term->text, known)) value->mistake(fault);
  }
  return parsing.mistakes.count() == before ? std::optional(fill) : std::nullopt;
}

namespace {

void collect(const Cursor& fill, const Tensor* tensor, std::vector<DerivedFill>& found) {
  if (tensor && tensor->role != Role::output && is_derived_fill(fill)) found.push_back({fill, *tensor});
}

}  // namespace

bool is_derived_fill(const Cursor& cursor) {
  if (!cursor.is_map()) return false;
  for (const std::string& name : form("derived_fill").one_of)
    if (name != "value" && cursor.find(name)) return true;
  const auto value = cursor.find("value");
  if (!value) return false;
  const auto& direct = fill_functions();
  const auto calls = accesses(value->raw());
  return std::any_of(calls.begin(), calls.end(), [&](const Access& call) {
    return !call.member.empty() || std::find(direct.begin(), direct.end(), call.name) == direct.end();
  });
}

std::vector<DerivedFill> derived_fills(const Parsing& parsing, const Cursor& root) {
  std::vector<DerivedFill> found;
  const auto tensors = root.find("tensors");
  const auto fields = tensors && tensors->is_map() ? tensors->fields("") : std::vector<Cursor>{};
  for (const Cursor& field : fields)
    if (const auto fill = field.is_map() ? field.find("fill") : std::nullopt)
      collect(*fill, parsing.problem.tensor(field.name()), found);
  const auto workloads = root.find("workloads");
  if (!workloads || !workloads->is_map()) return found;
  for (const Cursor& stage : workloads->fields("")) {
    const auto items = stage.is_list() ? stage.items("") : std::vector<Cursor>{};
    for (const Cursor& workload : items) {
      const auto fills = workload.is_map() ? workload.find("fill") : std::nullopt;
      if (!fills || !fills->is_map()) continue;
      for (const Cursor& fill : fills->fields("")) collect(fill, parsing.problem.tensor(fill.name()), found);
    }
  }
  return found;
}

}  // namespace podium::problem
