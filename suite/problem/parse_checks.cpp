// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Checks, and whether every output is verified by a reference or a check.
#include <fmt/format.h>

#include <algorithm>

#include "suite/base/nearest.hpp"
#include "suite/problem/parsing.hpp"
#include "suite/problem/utf8.hpp"

namespace podium::problem {
namespace {

std::vector<std::string> tensors_of(const Problem& problem, Role role) {
  std::vector<std::string> names;
  for (const Tensor& tensor : problem.tensors)
    if (tensor.role == role) names.push_back(tensor.name);
  return names;
}

const Tensor* tensor_of_role(const Parsing& parsing, const Cursor& cursor, Role role) {
  const std::string what = role == Role::input ? "an input" : "an output";
  const auto word = cursor.word(what);
  if (!word) return nullptr;
  const Tensor* tensor = parsing.problem.tensor(*word);
  if (tensor && tensor->role == role) return tensor;
  if (parsing.unclear.contains(*word)) return nullptr;
  cursor.mistake(
      fmt::format("not {}: {}", what, found_one_of(yaml::excerpt(*word), tensors_of(parsing.problem, role))));
  return nullptr;
}

void parse_sorted(const Parsing& parsing, const Cursor& cursor, const Cursor& sorted, Check& check) {
  check.kind = Check::Kind::sorted;
  if (const Tensor* tensor = tensor_of_role(parsing, sorted, Role::output)) {
    check.tensor = tensor->name;
    if (tensor->shape.empty())
      sorted.mistake(
          fmt::format("found {} of shape [], expected at least one axis to sort along", tensor->name));
  }
  if (const auto descending = cursor.find("descending"))
    check.descending = descending->truth().value_or(false);
}

void parse_permutation(const Parsing& parsing, const Cursor& cursor, const Cursor& pair, Check& check) {
  check.kind = Check::Kind::permutation;
  const auto items = pair.items("an output and an input, as in [y, x]");
  if (pair.is_list() && items.size() != 2)
    pair.mistake(fmt::format("found a list of {}, expected two names: an output and an input, as in [y, x]",
                             items.size()));
  if (cursor.find("descending"))
    cursor.mistake("found descending beside permutation, expected it beside sorted");
  if (items.size() != 2) return;
  const Tensor* tensor = tensor_of_role(parsing, items[0], Role::output);
  const Tensor* of = tensor_of_role(parsing, items[1], Role::input);
  if (tensor && of && tensor->type != of->type && !parsing.unclear.contains(of->name) &&
      !parsing.unclear.contains(tensor->name))
    pair.mistake(fmt::format("found {} of dtype {} and {} of dtype {}, expected one dtype", tensor->name,
                             tensor->type, of->name, of->type));
  check.tensor = tensor ? tensor->name : "";
  check.of = of ? of->name : "";
}

bool floating_somewhere(const Problem& problem, const Tensor& tensor) {
  if (const auto dtype = dtype_named(tensor.type)) return info(*dtype).floating;
  return std::any_of(problem.choices.begin(), problem.choices.end(), [&](const Choice& choice) {
    const auto type = choice.types.find(tensor.type);
    return type != choice.types.end() && info(type->second).floating;
  });
}

void check_scale(const Parsing& parsing, const Cursor& cursor, const Tensor& tensor,
                 const Reference& reference) {
  if (tensor.tolerance.scale != Tolerance::Scale::reference) return;
  const auto& references = parsing.problem.references;
  const auto named = [&](const Reference& other) { return other.name == tensor.tolerance.scale_reference; };
  const auto scale = std::find_if(references.begin(), references.end(), named);
  std::vector<std::string> names{"value", "magnitude"};
  for (const Reference& other : references) names.push_back(other.name);
  if (scale == references.end())
    return cursor.mistake("unknown scale: " +
                          found_one_of(yaml::excerpt(tensor.tolerance.scale_reference), names));
  for (const Index& index : scale->index)
    if (std::none_of(reference.index.begin(), reference.index.end(),
                     [&](const Index& own) { return own.name == index.name; }))
      cursor.mistake(fmt::format("found the reference {} with the index {}, expected only indices of {}",
                                 scale->name, index.name, tensor.name));
}

// Whoever is not compared with anything would always be right. `clear`: no check was unreadable.
void check_output(const Parsing& parsing, const Cursor& cursor, const Tensor& tensor, bool clear) {
  const auto& problem = parsing.problem;
  const auto reference = std::find_if(problem.references.begin(), problem.references.end(),
                                      [&](const Reference& other) { return other.name == tensor.name; });
  const bool checked = std::any_of(problem.checks.begin(), problem.checks.end(),
                                   [&](const Check& check) { return check.tensor == tensor.name; });
  const auto tolerance = cursor.find("tolerance");
  if (reference == problem.references.end()) {
    if (!checked && clear)
      cursor.mistake(
          "found an output without reference or check, expected either; what is not verified cannot be "
          "ranked");
    else if (tolerance)
      tolerance->mistake("found the tolerance of an output without a reference, expected none");
    return;
  }
  const bool floating = floating_somewhere(problem, tensor);
  if (floating && !tolerance)
    cursor.mistake(
        "found no tolerance, expected one, as in { ulp: 1, growth: \"sqrt(k)\", scale: magnitude }");
  if (!floating && tolerance)
    tolerance->mistake(
        fmt::format("found a tolerance of dtype {}, expected none; integers are exact", tensor.type));
  if (const auto scale = tolerance ? tolerance->find("scale") : std::nullopt)
    check_scale(parsing, *scale, tensor, *reference);
}

}  // namespace

void parse_checks(Parsing& parsing, const Cursor& root) {
  const std::size_t before = parsing.mistakes.count();
  if (const auto checks = root.find("checks")) {
    for (const Cursor& field : checks->fields("a map from names to checks")) {
      if (const std::string fault = fault_of_name(field.name()); !fault.empty())
        field.mistake(fmt::format("found \"{}\", {}", yaml::excerpt(field.name()), fault));
      if (!field.is_map()) {
        field.expected("a map, as in { sorted: y } or { permutation: [y, x] }");
        continue;
      }
      Check check;
      check.name = field.name();
      check.at = field.at();
      if (!field.keys(form("check"))) continue;
      const auto sorted = field.find("sorted"), permutation = field.find("permutation");
      if (sorted && permutation)
        field.mistake("found both sorted and permutation, expected one; give each a name of its own");
      else if (sorted)
        parse_sorted(parsing, field, *sorted, check);
      else if (permutation)
        parse_permutation(parsing, field, *permutation, check);
      else
        field.mistake("found neither sorted nor permutation, expected one of them");
      parsing.problem.checks.push_back(check);
    }
  }
  const bool clear = parsing.mistakes.count() == before;
  const auto tensors = root.find("tensors");
  for (const Tensor& tensor : parsing.problem.tensors)
    if (tensor.role == Role::output && !parsing.unclear.contains(tensor.name))
      check_output(parsing, *tensors->find(tensor.name), tensor, clear);
}

}  // namespace podium::problem
