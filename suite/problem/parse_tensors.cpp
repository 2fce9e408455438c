// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Tensors: role, dtype, shape, the inputs' fills and the outputs' tolerances.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "suite/base/nearest.hpp"
#include "suite/problem/parsing.hpp"
#include "suite/problem/utf8.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::problem {
namespace {

// Spacing above 1 of the formats that accumulate; tf32 has f16's mantissa of 10 bits and f32's exponent.
const std::map<std::string, double> accumulators{
    {"f64", 0x1p-52}, {"f32", 0x1p-23}, {"tf32", 0x1p-10}, {"f16", 0x1p-10}, {"bf16", 0x1p-7}};

std::vector<std::string> keys_of(const auto& map) {
  std::vector<std::string> names;
  for (const auto& [name, value] : map) names.push_back(name);
  return names;
}

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
};
const std::vector<std::string> later_fills{"permutation", "value", "reduce", "scan", "scatter",
                                           "recur",       "order", "code",   "host"};

Tolerance parse_tolerance(Parsing& parsing, const Cursor& cursor) {
  Tolerance tolerance;
  tolerance.at = cursor.at();
  tolerance.ulp = {"0", cursor.at()};
  tolerance.growth = {"1", cursor.at()};
  tolerance.accumulate_eps = accumulators.at("f32");
  if (!cursor.is_map()) {
    cursor.expected("a map, as in { ulp: 1, growth: \"sqrt(k)\", scale: magnitude }");
    return tolerance;
  }
  cursor.keys({"ulp", "growth", "scale", "accumulate"});
  if (const auto ulp = cursor.need("ulp", "a number: units in the last place of the output's dtype"))
    tolerance.ulp = parse_formula(parsing, *ulp).value_or(tolerance.ulp);
  if (const auto growth = cursor.find("growth"))
    tolerance.growth = parse_formula(parsing, *growth).value_or(tolerance.growth);
  if (const auto accumulate = cursor.find("accumulate")) {
    const auto word = accumulate->word("the accumulator's format");
    const auto known = accumulators.find(word.value_or(""));
    if (known != accumulators.end())
      tolerance.accumulate_eps = known->second;
    else if (word)
      accumulate->mistake(found_one_of(yaml::excerpt(*word), keys_of(accumulators)));
  }
  // A named reference is looked up when the references have been read.
  if (const auto scale = cursor.find("scale")) {
    const std::string word = scale->word("value, magnitude or the name of a reference").value_or("value");
    tolerance.scale = word == "value"       ? Tolerance::Scale::value
                      : word == "magnitude" ? Tolerance::Scale::magnitude
                                            : Tolerance::Scale::reference;
    if (tolerance.scale == Tolerance::Scale::reference) tolerance.scale_reference = word;
  }
  return tolerance;
}

std::vector<Text> parse_shape(Parsing& parsing, const Cursor& cursor) {
  std::vector<Text> shape;
  for (const Cursor& item : cursor.items("a list of extents, as in [rows, cols]; [] for a single number"))
    shape.push_back(parse_formula(parsing, item).value_or(Text{"1", item.at()}));
  if (shape.size() > protocol::max_rank)
    cursor.mistake(fmt::format("found rank {}, expected at most {}", shape.size(), protocol::max_rank));
  return shape;
}

std::optional<Role> parse_role(const Cursor& cursor) {
  const auto word = cursor.word("input or output");
  if (!word) return std::nullopt;
  if (*word == "input") return Role::input;
  if (*word == "output") return Role::output;
  if (*word == "inout")
    cursor.not_yet(*word, {"input", "output"});
  else
    cursor.mistake(found_one_of(yaml::excerpt(*word), {"input", "output"}));
  return std::nullopt;
}

std::string parse_type(Parsing& parsing, const Cursor& cursor) {
  const auto keys = parsing.names.all("type");
  if (cursor.is_scalar() && std::find(keys.begin(), keys.end(), *cursor.word("a dtype")) != keys.end())
    return *cursor.word("a dtype");
  const auto dtype = parse_dtype(cursor, keys);
  return std::string(info(dtype.value_or(Dtype::f32)).name);
}

// A tensor whose file has mistakes is still entered, so that references to it are no mistakes in turn.
Tensor parse_tensor(Parsing& parsing, const Cursor& cursor) {
  Tensor tensor;
  tensor.name = cursor.name();
  tensor.at = cursor.at();
  tensor.type = "f32";
  tensor.fill.at = tensor.tolerance.at = cursor.at();
  cursor.keys({"role", "dtype", "shape", "fill", "tolerance"},
              {"used", "strides", "layout", "per_rank", "private"});
  std::optional<Role> role;
  if (const auto field = cursor.need("role", "input or output")) role = parse_role(*field);
  if (const auto field = cursor.need("dtype", "a dtype or a key of types"))
    tensor.type = parse_type(parsing, *field);
  if (const auto field = cursor.need("shape", "a list of extents, as in [rows, cols]"))
    tensor.shape = parse_shape(parsing, *field);
  if (!role) return tensor;
  tensor.role = *role;
  if (*role == Role::input) {
    if (const auto field =
            cursor.need("fill", "how the input is filled, as in { normal: { mean: 0, stddev: 1 } }"))
      tensor.fill = parse_fill(parsing, *field).value_or(tensor.fill);
    if (const auto field = cursor.find("tolerance"))
      field->mistake("found a tolerance of an input, expected none; only outputs are compared");
  } else {
    if (const auto field = cursor.find("fill"))
      field->mistake("found a fill of an output, expected none; contestants write outputs");
    if (const auto field = cursor.find("tolerance")) tensor.tolerance = parse_tolerance(parsing, *field);
  }
  return tensor;
}

}  // namespace

std::optional<Fill> parse_fill(Parsing& parsing, const Cursor& cursor) {
  std::string name;
  std::optional<Cursor> arguments;
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
  const auto form = fills.find(name);
  if (form == fills.end()) {
    if (std::find(later_fills.begin(), later_fills.end(), name) != later_fills.end())
      cursor.not_yet(name, keys_of(fills));
    else
      cursor.mistake("unknown fill: " + found_one_of(yaml::excerpt(name), keys_of(fills)));
    return std::nullopt;
  }
  Fill fill;
  fill.kind = form->second.kind;
  fill.at = cursor.at();
  fill.first = fill.second = {"0", cursor.at()};
  std::vector<std::string> known;
  for (const Argument& argument : form->second.arguments) known.push_back(argument.name);
  if (arguments && !arguments->is_null()) {
    if (!arguments->is_map()) arguments->expected("a map of the fill's numbers");
    arguments->keys(known);
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    Text& text = i == 0 ? fill.first : fill.second;
    const Argument& argument = form->second.arguments[i];
    const auto field = arguments ? arguments->find(argument.name) : std::nullopt;
    if (field)
      text = parse_formula(parsing, *field).value_or(text);
    else if (argument.fallback.empty())
      cursor.mistake(
          fmt::format("found {} without {}, expected both low and high (inclusive)", name, argument.name));
    else
      text.text = argument.fallback;
  }
  return fill;
}

void parse_tensors(Parsing& parsing, const Cursor& root) {
  const auto tensors = root.need("tensors", "a map from names to tensors");
  if (!tensors) return;
  auto& list = parsing.problem.tensors;
  for (const Cursor& field : tensors->fields("a map from names to tensors")) {
    if (!parsing.names.declare(field, field.name(), "tensor")) continue;
    if (field.is_map())
      list.push_back(parse_tensor(parsing, field));
    else
      field.expected("a map, as in { role: input, dtype: f32, shape: [n], fill: zeros }");
  }
  if (list.size() > protocol::max_tensors)
    tensors->mistake(
        fmt::format("found {} tensors, expected at most {}", list.size(), protocol::max_tensors));
  for (const std::string& key : parsing.names.all("type"))
    if (tensors->is_map() &&
        std::none_of(list.begin(), list.end(), [&](const Tensor& tensor) { return tensor.type == key; }))
      tensors->mistake(fmt::format(
          "found no tensor of dtype {}, expected one for every key of types; remove the key", key));
  const auto output = [](const Tensor& tensor) { return tensor.role == Role::output; };
  if (tensors->is_map() && std::none_of(list.begin(), list.end(), output))
    tensors->mistake("found no output, expected at least one tensor with role: output");
}

}  // namespace podium::problem
