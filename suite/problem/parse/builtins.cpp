// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The built-in checks: sorted, permutation, stable, finite, triangular, distinct.
#include <fmt/format.h>

#include <algorithm>

#include "suite/base/nearest.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/problem/yaml/utf8.hpp"

namespace podium::problem {
namespace {

constexpr std::string_view initial = ".initial";

// What a contestant writes, or (`before`) what was there before the call: inputs, and x.initial of inouts.
std::vector<std::string> tensors_of(const Problem& problem, bool before) {
  std::vector<std::string> names;
  for (const Tensor& tensor : problem.tensors) {
    if (before && tensor.role == Role::input) names.push_back(tensor.name);
    if (before && tensor.role == Role::inout) names.push_back(tensor.name + std::string(initial));
    if (!before && tensor.role != Role::input) names.push_back(tensor.name);
  }
  return names;
}

const Tensor* tensor_named(const Parsing& parsing, const Cursor& cursor, bool before) {
  const std::string what = before ? "an input" : "an output";
  if (cursor.is_list()) {
    cursor.expected(fmt::format("{} alone; each has a check of its own", what));
    return nullptr;
  }
  const auto word = cursor.word(what);
  if (!word) return nullptr;
  const auto names = tensors_of(parsing.problem, before);
  const bool ends = before && word->ends_with(initial);
  const std::string name = ends ? word->substr(0, word->size() - initial.size()) : *word;
  if (std::find(names.begin(), names.end(), *word) != names.end()) return parsing.problem.tensor(name);
  if (!parsing.unclear.contains(name))
    cursor.mistake(fmt::format("not {}: {}", what, found_one_of(yaml::excerpt(*word), names)));
  return nullptr;
}

// Whether `holds` of the tensor's dtype on some board.
template <class Holds>
bool somewhere(const Problem& problem, const Tensor& tensor, const Holds& holds) {
  if (const auto dtype = dtype_named(tensor.type)) return holds(*dtype);
  return std::any_of(problem.choices.begin(), problem.choices.end(), [&](const Choice& choice) {
    const auto type = choice.types.find(tensor.type);
    return type != choice.types.end() && holds(type->second);
  });
}

const Tensor* output(const Parsing& parsing, const Cursor& cursor, std::size_t least_axes,
                     std::string_view purpose) {
  const Tensor* tensor = tensor_named(parsing, cursor, false);
  if (tensor && tensor->shape.size() < least_axes)
    cursor.mistake(fmt::format("found {} of shape [{}], expected at least {} {}", tensor->name,
                               tensor->shape.empty() ? "" : tensor->shape[0].text,
                               least_axes == 1 ? "one axis" : "two axes", purpose));
  return tensor;
}

void parse_sorted(const Parsing& parsing, const Cursor& cursor, const Cursor& sorted, Check& check) {
  check.kind = Check::Kind::sorted;
  if (const Tensor* tensor = output(parsing, sorted, 1, "to sort along")) check.tensor = tensor->name;
  if (const auto descending = cursor.find("descending"))
    check.descending = descending->truth().value_or(false);
}

// Puts the tensors of one side of a permutation into `names`; in their places those that are clear.
std::vector<const Tensor*> side(const Parsing& parsing, const Cursor& cursor, bool before, std::string& first,
                                std::vector<std::string>& with) {
  std::vector<const Tensor*> tensors;
  if (cursor.is_list())
    for (const Cursor& item : cursor.items("")) tensors.push_back(tensor_named(parsing, item, before));
  else
    tensors.push_back(tensor_named(parsing, cursor, before));
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    const std::string name = tensors[k] ? tensors[k]->name : "";
    if (k == 0)
      first = name;
    else
      with.push_back(name);
  }
  return tensors;
}

void parse_permutation(const Parsing& parsing, const Cursor&, const Cursor& pair, Check& check) {
  check.kind = Check::Kind::permutation;
  const auto items = pair.items("an output and an input, as in [y, x]");
  if (pair.is_list() && items.size() != 2)
    pair.mistake(fmt::format("found a list of {}, expected two names: an output and an input, as in [y, x]",
                             items.size()));
  if (items.size() != 2) return;
  const auto here = side(parsing, items[0], false, check.tensor, check.with);
  const auto there = side(parsing, items[1], true, check.of, check.of_with);
  if (here.size() != there.size() || here.empty())
    return pair.mistake(fmt::format(
        "found {} and {} tensors, expected as many outputs as inputs, as in [[keys, values], [k, v]]",
        here.size(), there.size()));
  for (std::size_t k = 0; k < here.size(); ++k) {
    const Tensor *tensor = here[k], *of = there[k];
    if (tensor && of && tensor->type != of->type && !parsing.unclear.contains(of->name) &&
        !parsing.unclear.contains(tensor->name))
      pair.mistake(fmt::format("found {} of dtype {} and {} of dtype {}, expected one dtype", tensor->name,
                               tensor->type, of->name, of->type));
  }
}

void parse_stable(const Parsing& parsing, const Cursor&, const Cursor& pair, Check& check) {
  check.kind = Check::Kind::stable;
  const std::string what = "two outputs: the sorted keys and where they came from, as in [keys, order]";
  const auto items = pair.items(what);
  if (pair.is_list() && items.size() != 2)
    pair.mistake(fmt::format("found a list of {}, expected {}", items.size(), what));
  if (items.size() != 2) return;
  const Tensor* keys = output(parsing, items[0], 1, "that is sorted");
  const Tensor* order = output(parsing, items[1], 1, "that is sorted");
  check.tensor = keys ? keys->name : "";
  check.with = {order ? order->name : ""};
}

void parse_finite(const Parsing& parsing, const Cursor&, const Cursor& finite, Check& check) {
  check.kind = Check::Kind::finite;
  const Tensor* tensor = output(parsing, finite, 0, "");
  if (!tensor) return;
  check.tensor = tensor->name;
  if (!somewhere(parsing.problem, *tensor,
                 [](Dtype dtype) { return info(dtype).floating && dtype != Dtype::e2m1; }))
    finite.mistake(
        fmt::format("found {} of dtype {}, whose numbers are all finite, expected a dtype with infinities or "
                    "NaN; nothing could fail it",
                    tensor->name, tensor->type));
}

void parse_triangular(const Parsing& parsing, const Cursor& cursor, const Cursor& triangular, Check& check) {
  check.kind = Check::Kind::triangular;
  if (const Tensor* tensor = output(parsing, triangular, 2, "for rows and columns"))
    check.tensor = tensor->name;
  if (const auto part = cursor.need("part", "upper or lower: the triangle that is not zero")) {
    const auto word = part->word("upper or lower");
    check.upper = word == "upper";
    if (word && *word != "upper" && *word != "lower")
      part->mistake(found_one_of(yaml::excerpt(*word), words("part")));
  }
  if (const auto unit = cursor.find("unit")) check.unit = unit->truth().value_or(false);
}

void parse_distinct(const Parsing& parsing, const Cursor&, const Cursor& distinct, Check& check) {
  check.kind = Check::Kind::distinct;
  if (const Tensor* tensor = output(parsing, distinct, 1, "along which no element comes twice"))
    check.tensor = tensor->name;
}

struct Builtin {
  std::string name;
  void (*parse)(const Parsing&, const Cursor&, const Cursor&, Check&);
  std::vector<std::string> options;
};
const std::vector<Builtin> builtins{{"sorted", parse_sorted, {"descending"}},
                                    {"permutation", parse_permutation, {}},
                                    {"stable", parse_stable, {}},
                                    {"finite", parse_finite, {}},
                                    {"triangular", parse_triangular, {"part", "unit"}},
                                    {"distinct", parse_distinct, {}}};

}  // namespace

bool floating_somewhere(const Problem& problem, const Tensor& tensor) {
  return somewhere(problem, tensor, [](Dtype dtype) { return info(dtype).floating; });
}

bool parse_builtin(const Parsing& parsing, const Cursor& cursor, Check& check) {
  const Builtin* chosen = nullptr;
  for (const Builtin& builtin : builtins) {
    if (!cursor.find(builtin.name)) continue;
    if (chosen) {
      cursor.mistake(fmt::format("found both {} and {}, expected one; give each a name of its own",
                                 chosen->name, builtin.name));
      return true;
    }
    chosen = &builtin;
  }
  for (const Builtin& builtin : builtins)
    for (const std::string& option : builtin.options)
      if (chosen && &builtin != chosen && cursor.find(option))
        cursor.mistake(
            fmt::format("found {} beside {}, expected it beside {}", option, chosen->name, builtin.name));
  if (chosen) chosen->parse(parsing, cursor, *cursor.find(chosen->name), check);
  return chosen != nullptr;
}

}  // namespace podium::problem
