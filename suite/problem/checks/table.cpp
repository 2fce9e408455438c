// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The table of built-in checks, and what its rows do: sorted, permutation, stable, finite, triangular,
// distinct.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "suite/base/nearest.hpp"
#include "suite/problem/checks/checks.hpp"
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

const Tensor* tensor_named(const CheckReader& reader, const Cursor& cursor, bool before) {
  const std::string what = before ? "an input" : "an output";
  if (cursor.is_list()) {
    cursor.expected(fmt::format("{} alone; each has a check of its own", what));
    return nullptr;
  }
  const auto word = cursor.word(what);
  if (!word) return nullptr;
  const auto names = tensors_of(reader.problem, before);
  const bool ends = before && word->ends_with(initial);
  const std::string name = ends ? word->substr(0, word->size() - initial.size()) : *word;
  if (std::find(names.begin(), names.end(), *word) != names.end()) return reader.problem.tensor(name);
  if (!reader.unclear.contains(name))
    cursor.mistake(fmt::format("not {}: {}", what, found_one_of(yaml::excerpt(*word), names)));
  return nullptr;
}

const Tensor* output(const CheckReader& reader, const Cursor& cursor, std::size_t least_axes,
                     std::string_view purpose) {
  const Tensor* tensor = tensor_named(reader, cursor, false);
  if (tensor && tensor->shape.size() < least_axes)
    cursor.mistake(fmt::format("found {} of shape [{}], expected at least {} {}", tensor->name,
                               tensor->shape.empty() ? "" : tensor->shape[0].text,
                               least_axes == 1 ? "one axis" : "two axes", purpose));
  return tensor;
}

void parse_sorted(const CheckReader& reader, const Cursor& cursor, const Cursor& sorted, Check& check) {
  if (const Tensor* tensor = output(reader, sorted, 1, "to sort along")) check.tensor = tensor->name;
  if (const auto descending = cursor.find("descending"))
    check.descending = descending->truth().value_or(false);
}

CheckKernels sorted_kernels(const Check& check, const CheckCode& code) {
  return {fmt::format("sorted<{}, {}>(words, group, {}, {}, {})", code.element(check.tensor),
                      check.descending, code.data(check.tensor), code.count(check.tensor),
                      code.row(check.tensor))};
}

std::string sorted_wrong(const Check& check, const CheckedElements& elements, const WrongElements& found) {
  const TensorInstance& output = elements.tensor(check.tensor);
  const bool last = output.extents.empty() || (found.first + 1) % output.extents.back() == 0;
  return elements.is(check.tensor, found.first) +
         (last ? "" : " before " + elements.is(check.tensor, found.first + 1)) +
         fmt::format(", expected {} order; {} of {} elements are out of order",
                     check.descending ? "descending" : "ascending", found.count, output.elements);
}

// Puts the tensors of one side of a permutation into `names`; in their places those that are clear.
std::vector<const Tensor*> side(const CheckReader& reader, const Cursor& cursor, bool before,
                                std::string& first, std::vector<std::string>& with) {
  std::vector<const Tensor*> tensors;
  if (cursor.is_list())
    for (const Cursor& item : cursor.items("")) tensors.push_back(tensor_named(reader, item, before));
  else
    tensors.push_back(tensor_named(reader, cursor, before));
  for (std::size_t k = 0; k < tensors.size(); ++k) {
    const std::string name = tensors[k] ? tensors[k]->name : "";
    if (k == 0)
      first = name;
    else
      with.push_back(name);
  }
  return tensors;
}

void parse_permutation(const CheckReader& reader, const Cursor&, const Cursor& pair, Check& check) {
  const auto items = pair.items("an output and an input, as in [y, x]");
  if (pair.is_list() && items.size() != 2)
    pair.mistake(fmt::format("found a list of {}, expected two names: an output and an input, as in [y, x]",
                             items.size()));
  if (items.size() != 2) return;
  const auto here = side(reader, items[0], false, check.tensor, check.with);
  const auto there = side(reader, items[1], true, check.of, check.of_with);
  if (here.size() != there.size() || here.empty())
    return pair.mistake(fmt::format(
        "found {} and {} tensors, expected as many outputs as inputs, as in [[keys, values], [k, v]]",
        here.size(), there.size()));
  for (std::size_t k = 0; k < here.size(); ++k) {
    const Tensor *tensor = here[k], *of = there[k];
    if (tensor && of && tensor->type != of->type && !reader.unclear.contains(of->name) &&
        !reader.unclear.contains(tensor->name))
      pair.mistake(fmt::format("found {} of dtype {} and {} of dtype {}, expected one dtype", tensor->name,
                               tensor->type, of->name, of->type));
  }
}

std::string permutation_fault(const Check& check, const CheckedTensors& tensors) {
  std::vector<std::string> others = check.with;
  others.push_back(check.of);
  others.insert(others.end(), check.of_with.begin(), check.of_with.end());
  const TensorInstance& first = tensors(check.tensor);
  for (const std::string& name : others)
    if (tensors(name).elements != first.elements)
      return fmt::format("found {} elements of {} and {} of {}, expected equally many", first.elements,
                         first.name, tensors(name).elements, name);
  return "";
}

CheckKernels permutation_kernels(const Check& check, const CheckCode& code) {
  const auto text = [&](const std::string& tensor, const std::vector<std::string>& with, bool before) {
    std::string data = code.data(tensor, before);
    for (const std::string& name : with) data += ", " + code.data(name, before);
    const std::string count = code.count(tensor);
    return with.empty() ? fmt::format("multiset(words, group, {}, {})", data, count)
                        : fmt::format("tuples(words, group, {}, {})", count, data);
  };
  return {text(check.tensor, check.with, false), text(check.of, check.of_with, true)};
}

std::string permutation_wrong(const Check& check, const CheckedElements&, const WrongElements&) {
  std::string left = check.tensor, right = check.of;
  for (const std::string& name : check.with) left += ", " + name;
  for (const std::string& name : check.of_with) right += ", " + name;
  return check.with.empty()
             ? fmt::format("{} does not hold the elements of {}, expected each of them as often as there",
                           left, right)
             : fmt::format("({}) does not hold the tuples of ({}), expected each of them as often as there",
                           left, right);
}

void parse_stable(const CheckReader& reader, const Cursor&, const Cursor& pair, Check& check) {
  const std::string what = "two outputs: the sorted keys and where they came from, as in [keys, order]";
  const auto items = pair.items(what);
  if (pair.is_list() && items.size() != 2)
    pair.mistake(fmt::format("found a list of {}, expected {}", items.size(), what));
  if (items.size() != 2) return;
  const Tensor* keys = output(reader, items[0], 1, "that is sorted");
  const Tensor* order = output(reader, items[1], 1, "that is sorted");
  check.tensor = keys ? keys->name : "";
  check.with = {order ? order->name : ""};
}

std::string stable_fault(const Check& check, const CheckedTensors& tensors) {
  const auto &keys = tensors(check.tensor).extents, &order = tensors(check.with[0]).extents;
  if (keys == order) return "";
  return fmt::format("found {} of shape [{}] and {} of shape [{}], expected one shape", check.tensor,
                     fmt::join(keys, ", "), check.with[0], fmt::join(order, ", "));
}

CheckKernels stable_kernels(const Check& check, const CheckCode& code) {
  return {fmt::format("stable(words, group, {}, {}, {}, {})", code.data(check.tensor),
                      code.data(check.with.at(0)), code.count(check.tensor), code.row(check.tensor))};
}

std::string stable_wrong(const Check& check, const CheckedElements& elements, const WrongElements& found) {
  return fmt::format(
      "{} as is {}, and {} before {}, expected ascending order among equals; {} of {} elements are out of "
      "order",
      elements.is(check.tensor, found.first), elements.name(check.tensor, found.first + 1),
      elements.is(check.with[0], found.first), elements.is(check.with[0], found.first + 1), found.count,
      elements.tensor(check.tensor).elements);
}

void parse_finite(const CheckReader& reader, const Cursor&, const Cursor& finite, Check& check) {
  const Tensor* tensor = output(reader, finite, 0, "");
  if (!tensor) return;
  check.tensor = tensor->name;
  if (!on_some_board(reader.problem, *tensor,
                     [](Dtype dtype) { return info(dtype).floating && dtype != Dtype::e2m1; }))
    finite.mistake(
        fmt::format("found {} of dtype {}, whose numbers are all finite, expected a dtype with infinities or "
                    "NaN; the check could never fail",
                    tensor->name, tensor->type));
}

std::string finite_wrong(const Check& check, const CheckedElements& elements, const WrongElements& found) {
  return elements.is(check.tensor, found.first) +
         fmt::format(", expected finite numbers; {} of {} elements are not", found.count,
                     elements.tensor(check.tensor).elements);
}

const Words part_words{"part", {"upper", "lower"}};

void parse_triangular(const CheckReader& reader, const Cursor& cursor, const Cursor& triangular,
                      Check& check) {
  if (const Tensor* tensor = output(reader, triangular, 2, "for rows and columns"))
    check.tensor = tensor->name;
  if (const auto part = cursor.need("part", "upper or lower: the triangle that is not zero")) {
    const auto word = part->word("upper or lower");
    check.upper = word == "upper";
    if (word && *word != "upper" && *word != "lower")
      part->mistake(found_one_of(yaml::excerpt(*word), part_words.words));
  }
  if (const auto unit = cursor.find("unit")) check.unit = unit->truth().value_or(false);
}

CheckKernels triangular_kernels(const Check& check, const CheckCode& code) {
  return {fmt::format("triangular<{}, {}>(words, group, {}, {}, {}, {})", check.upper, check.unit,
                      code.data(check.tensor), code.count(check.tensor), code.row(check.tensor, 1),
                      code.row(check.tensor))};
}

std::string triangular_wrong(const Check& check, const CheckedElements& elements,
                             const WrongElements& found) {
  const TensorInstance& output = elements.tensor(check.tensor);
  const std::int64_t columns = output.extents.back(), rows = output.extents[output.extents.size() - 2];
  const bool diagonal = found.first / columns % rows == found.first % columns;
  return elements.is(check.tensor, found.first) +
         fmt::format(", expected {}: {} is {}{} triangular; {} of {} elements are not as they must be",
                     diagonal ? 1 : 0, output.name, check.unit ? "unit " : "",
                     check.upper ? "upper" : "lower", found.count, output.elements);
}

void parse_distinct(const CheckReader& reader, const Cursor&, const Cursor& distinct, Check& check) {
  if (const Tensor* tensor = output(reader, distinct, 1, "along which no element comes twice"))
    check.tensor = tensor->name;
}

std::string distinct_fault(const Check& check, const CheckedTensors& tensors) {
  constexpr std::int64_t longest = (std::int64_t{1} << 32) - 2;
  const std::int64_t row = tensors(check.tensor).extents.back();
  if (row <= longest) return "";
  return fmt::format("found {} elements along the last axis of {}, expected fewer than 2^32 - 1", row,
                     check.tensor);
}

CheckKernels distinct_kernels(const Check& check, const CheckCode& code) {
  return {fmt::format("distinct(words, group, {}, {}, {})", code.data(check.tensor), code.count(check.tensor),
                      code.row(check.tensor))};
}

std::string distinct_wrong(const Check& check, const CheckedElements& elements, const WrongElements& found) {
  const std::int64_t same = elements.first_equal(check.tensor, found.first);
  return elements.is(check.tensor, found.first) +
         (same < 0 ? "" : " as is " + elements.name(check.tensor, same)) +
         fmt::format(", expected distinct numbers along the last axis; {} of {} elements are not",
                     found.count, elements.tensor(check.tensor).elements);
}

}  // namespace

const std::vector<BuiltinCheck>& builtin_checks() {
  static const std::vector<BuiltinCheck> all{
      {.name = "sorted",
       .holds = "name",
       .says = "An output that ascends along its last axis",
       .options = {{"descending", "truth", "Beside sorted: it descends"}},
       .parse = parse_sorted,
       .kernels = sorted_kernels,
       .wrong = sorted_wrong},
      {.name = "permutation",
       .holds = "[name | [name]]",
       .says = "[y, x]: y holds the elements of x, each as often; [[y, w], [x, v]]: pairs of them",
       .finds = BuiltinCheck::Finds::other_multiset,
       .reads_inputs = true,
       .parse = parse_permutation,
       .fault = permutation_fault,
       .kernels = permutation_kernels,
       .wrong = permutation_wrong},
      {.name = "stable",
       .holds = "[name]",
       .says = "[keys, order]: among equal neighbours of keys, order ascends",
       .parse = parse_stable,
       .fault = stable_fault,
       .kernels = stable_kernels,
       .wrong = stable_wrong},
      {.name = "finite",
       .holds = "name",
       .says = "An output without infinities and NaN",
       .finds = BuiltinCheck::Finds::nonfinite,
       .parse = parse_finite,
       .wrong = finite_wrong},
      {.name = "triangular",
       .holds = "name",
       .says = "An output whose matrices are zero beyond the diagonal",
       .options = {{"part", "part", "Beside triangular: the triangle that is not zero"},
                   {"unit", "truth", "Beside triangular: ones on the diagonal"}},
       .words = {part_words},
       .parse = parse_triangular,
       .kernels = triangular_kernels,
       .wrong = triangular_wrong},
      {.name = "distinct",
       .holds = "name",
       .says = "An output without a number twice along its last axis",
       .hash_tables = true,
       .parse = parse_distinct,
       .fault = distinct_fault,
       .kernels = distinct_kernels,
       .wrong = distinct_wrong},
  };
  return all;
}

}  // namespace podium::problem
