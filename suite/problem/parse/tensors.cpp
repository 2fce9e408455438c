// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Tensors: role, dtype, shape, the inputs' fills and the outputs' tolerances.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "suite/base/nearest.hpp"
#include "suite/problem/formula/formula.hpp"
#include "suite/problem/formula/lexer.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/problem/yaml/utf8.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::problem {

namespace {

// Spacing above 1 of the formats that accumulate: the floating dtypes, and tf32, which has f16's mantissa of
// 10 bits and f32's exponent.
const std::map<std::string, double> accumulators = [] {
  std::map<std::string, double> eps{{"tf32", 0x1p-10}};
  for (int i = 0; i < dtypes; ++i)
    if (const DtypeInfo& dtype = info(static_cast<Dtype>(i)); dtype.floating)
      eps[std::string(dtype.name)] = dtype.eps;
  return eps;
}();

// A format, or a key of types where boards accumulate in formats of their own.
void parse_accumulate(const Parsing& parsing, const Cursor& cursor, Tolerance& tolerance) {
  const auto word = cursor.word("the accumulator's format");
  if (!word) return;
  if (const auto known = accumulators.find(*word); known != accumulators.end()) {
    tolerance.accumulate_eps = known->second;
    return;
  }
  std::vector<std::string> names = words("accumulator");
  for (const std::string& key : parsing.names.all("type")) {
    names.push_back(key);
    if (key != *word) continue;
    tolerance.accumulate_type = key;
    for (const Choice& choice : parsing.problem.choices)
      if (const auto type = choice.types.find(key);
          type != choice.types.end() && !info(type->second).floating)
        return cursor.mistake(
            fmt::format("found {}, which is {} on a board, expected a key of floating dtypes", key,
                        info(type->second).name));
    return;
  }
  if (!parsing.names.doubtful(*word)) cursor.mistake(found_one_of(yaml::excerpt(*word), names));
}

// The indices of the reference of that name as the file lists them; it is read after the tensors.
std::vector<std::string> listed_indices(const Cursor& root, const std::string& name) {
  std::vector<std::string> names;
  auto cursor = root.find("reference");
  for (const std::string& key : {name, std::string("index")})
    cursor = cursor && cursor->is_map() ? cursor->find(key) : std::nullopt;
  if (cursor && cursor->is_list())
    for (const Cursor& item : cursor->items("")) names.push_back(item.raw());
  return names;
}

// Structure as a whole, as in max(length), which no element's evaluation knows; "" if there is none.
std::string folded_structure(const std::string& formula, const Scope& scope) {
  const auto tokens = tokenise(formula);
  for (std::size_t at = 0; at + 3 < tokens.size(); ++at)
    if (tokens[at + 1].text == "(" && tokens[at + 3].text == ")" &&
        scope.structure.contains(tokens[at + 2].text) &&
        (tokens[at].text == "sum" || tokens[at].text == "min" || tokens[at].text == "max"))
      return fmt::format("{}({})", tokens[at].text, tokens[at + 2].text);
  return "";
}

// The first of `indices` that a formula uses; "" if it uses none.
std::string index_in(const std::string& formula, const std::vector<std::string>& indices,
                     const Scope& scope) {
  for (const std::string& name : names_in(formula))
    if (!scope.numbers.contains(name) && std::find(indices.begin(), indices.end(), name) != indices.end())
      return name;
  return "";
}

void parse_growth(Parsing& parsing, const Cursor& cursor, const std::vector<std::string>& indices,
                  Tolerance& tolerance) {
  const auto growth = parse_element_formula(parsing, cursor, indices);
  if (!growth) return;
  tolerance.growth = *growth;
  tolerance.growth_by_index = !index_in(growth->text, indices, parsing.scope).empty();
}

Tolerance parse_tolerance(Parsing& parsing, const Cursor& cursor, const std::vector<std::string>& indices) {
  Tolerance tolerance;
  tolerance.at = cursor.at();
  tolerance.ulp = {"0", cursor.at()};
  tolerance.growth = {"1", cursor.at()};
  tolerance.accumulate_eps = accumulators.at("f32");
  if (!cursor.is_map()) {
    cursor.expected("a map, as in { ulp: 1, growth: \"sqrt(k)\", scale: magnitude }");
    return tolerance;
  }
  cursor.keys(form("tolerance"));
  if (const auto ulp = cursor.need("ulp", "a number: units in the last place of the output's dtype"))
    tolerance.ulp = parse_formula(parsing, *ulp).value_or(tolerance.ulp);
  if (const auto growth = cursor.find("growth")) parse_growth(parsing, *growth, indices, tolerance);
  if (const auto accumulate = cursor.find("accumulate")) parse_accumulate(parsing, *accumulate, tolerance);
  if (const auto loose = cursor.find("loose"))
    tolerance.loose =
        loose->word("a sentence: why an error of 1 % in all elements may be right").value_or("");
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

constexpr const char* a_role = "input, output or inout";

std::optional<Role> parse_role(const Cursor& cursor) {
  const auto word = cursor.word(a_role);
  if (!word) return std::nullopt;
  for (const Role role : {Role::input, Role::output, Role::inout})
    if (*word == name_of(role)) return role;
  cursor.mistake(found_one_of(yaml::excerpt(*word), words("role")));
  return std::nullopt;
}

std::string parse_type(Parsing& parsing, const Cursor& cursor) {
  const auto keys = parsing.names.all("type");
  if (std::find(keys.begin(), keys.end(), cursor.raw()) != keys.end()) return cursor.raw();
  if (cursor.is_scalar() && !dtype_named(cursor.raw()) && parsing.names.doubtful(cursor.raw())) return "f32";
  const auto dtype = parse_dtype(cursor, keys);
  return std::string(info(dtype.value_or(Dtype::f32)).name);
}

// Parts are slices along the first axis, one behind the other in memory.
void parse_per_rank(const Parsing& parsing, const Cursor& cursor, Tensor& tensor) {
  const auto word = cursor.word("each or shard");
  if (!word) return;
  for (const auto& [value, name] : parts_of_ranks)
    if (*word == name) tensor.per_rank = value;
  if (tensor.per_rank == PerRank::whole)
    return cursor.mistake(found_one_of(yaml::excerpt(*word), words("per_rank")));
  if (parsing.ranks.empty())
    return cursor.mistake("found a part of a rank, expected the problem to say ranks, as in ranks: [2, 4]");
  if (tensor.shape.empty())
    return cursor.mistake("found a single number, expected an axis that the ranks divide");
  if (tensor.used || tensor.layout != Layout::row_major)
    cursor.mistake("found it beside used, strides or layout, expected a whole row-major tensor");
}

Tensor parse_tensor(Parsing& parsing, const Cursor& root, const Cursor& cursor) {
  Tensor tensor;
  tensor.name = cursor.name();
  tensor.at = cursor.at();
  tensor.type = "f32";
  tensor.fill.at = tensor.tolerance.at = cursor.at();
  cursor.keys(form("tensor"));
  std::optional<Role> role;
  if (const auto field = cursor.need("role", a_role)) role = parse_role(*field);
  if (const auto field = cursor.need("dtype", "a dtype or a key of types"))
    tensor.type = parse_type(parsing, *field);
  if (const auto field = cursor.need("shape", "a list of extents, as in [rows, cols]"))
    tensor.shape = parse_shape(parsing, *field);
  parse_layout(parsing, cursor, tensor);
  if (const auto field = cursor.find("used")) tensor.used = parse_used(parsing, *field, tensor.shape.size());
  if (const auto field = cursor.find("per_rank")) parse_per_rank(parsing, *field, tensor);
  if (!role) {  // which of these it should have is not known, but what they say is
    if (const auto field = cursor.find("fill"))
      tensor.fill = parse_fill(parsing, *field, tensor).value_or(tensor.fill);
    if (const auto field = cursor.find("tolerance"))
      tensor.tolerance = parse_tolerance(parsing, *field, listed_indices(root, tensor.name));
    return tensor;
  }
  tensor.role = *role;
  if (*role == Role::output) {
    if (const auto field = cursor.find("fill"))
      field->mistake("found a fill of an output, expected none; contestants write outputs");
  } else if (parsing.problem.python && !cursor.find("fill")) {
    tensor.fill.kind = Fill::Kind::python;
  } else if (const auto field =
                 cursor.need("fill", "how the input is filled, as in { normal: { mean: 0, stddev: 1 } }")) {
    tensor.fill = parse_fill(parsing, *field, tensor).value_or(tensor.fill);
  }
  if (const auto field = cursor.find("private")) {
    tensor.visible = !field->truth().value_or(false);
    if (!tensor.visible && *role != Role::input)
      field->mistake(
          "found a private output, expected private beside role: input; contestants write outputs");
  }
  if (*role != Role::input && !parsing.ranks.empty() && tensor.per_rank == PerRank::whole &&
      !parsing.mistakes.about("ranks"))
    cursor.mistake(
        "found an output of all ranks together, expected per_rank: each or per_rank: shard; a tensor that "
        "all "
        "ranks write has an axis of ranks");
  if (const auto field = cursor.find("tolerance")) {
    if (*role == Role::input)
      field->mistake("found a tolerance of an input, expected none; only outputs are compared");
    else
      tensor.tolerance = parse_tolerance(parsing, *field, listed_indices(root, tensor.name));
  }
  return tensor;
}

}  // namespace

std::optional<Text> parse_element_formula(Parsing& parsing, const Cursor& cursor,
                                          const std::vector<std::string>& indices) {
  const Scope outside = parsing.scope;
  for (const std::string& index : indices) parsing.scope.numbers.try_emplace(index, 1);
  auto formula = parse_formula(parsing, cursor);
  parsing.scope = outside;
  if (!formula) return std::nullopt;
  const std::string used = index_in(formula->text, indices, outside);
  const std::string folded = folded_structure(formula->text, outside);
  if (!used.empty() && !folded.empty())
    cursor.mistake(fmt::format(
        "found {} beside the index {}, expected elements of structure; keep that number in private "
        "structure of shape []",
        folded, used));
  return formula;
}

std::vector<Text> parse_shape(Parsing& parsing, const Cursor& cursor) {
  std::vector<Text> shape;
  for (const Cursor& item : cursor.items("a list of extents, as in [rows, cols]; [] for a single number")) {
    shape.push_back(parse_formula(parsing, item).value_or(Text{"1", item.at()}));
    if (!structure_in(shape.back().text, parsing.scope).empty())
      item.mistake(
          "found structure in a shape, expected axes, parameters and constants; give the most there can be, "
          "and "
          "say used for the part in use");
  }
  if (shape.size() > protocol::max_rank)
    cursor.mistake(fmt::format("found rank {}, expected at most {}", shape.size(), protocol::max_rank));
  return shape;
}

void parse_tensors(Parsing& parsing, const Cursor& root) {
  const auto tensors = root.need("tensors", "a map from names to tensors");
  if (!tensors) return;
  auto& list = parsing.problem.tensors;
  for (const Cursor& field : tensors->fields("a map from names to tensors")) {
    if (!parsing.names.declare(field, field.name(), "tensor")) continue;
    const std::size_t before = parsing.mistakes.count();
    if (field.is_map())
      list.push_back(parse_tensor(parsing, root, field));
    else
      field.expected("a map, as in { role: input, dtype: f32, shape: [n], fill: zeros }");
    if (parsing.mistakes.count() != before) parsing.unclear.insert(field.name());
  }
  std::stable_partition(list.begin(), list.end(), [](const Tensor& tensor) { return tensor.visible; });
  if (list.size() > protocol::max_tensors)
    tensors->mistake(
        fmt::format("found {} tensors, expected at most {}", list.size(), protocol::max_tensors));
  for (const std::string& key : parsing.names.all("type"))
    if (parsing.unclear.empty() &&
        std::none_of(list.begin(), list.end(), [&](const Tensor& tensor) { return tensor.type == key; }))
      tensors->mistake(fmt::format(
          "found no tensor of dtype {}, expected one for every key of types; remove the key", key));
  const auto output = [](const Tensor& tensor) { return tensor.role != Role::input; };
  if (tensors->is_map() && parsing.unclear.empty() && std::none_of(list.begin(), list.end(), output))
    tensors->mistake("found no output, expected at least one tensor with role: output or inout");
}

void parse_layout(Parsing& parsing, const Cursor& cursor, Tensor& tensor) {
  const auto strides = cursor.find("strides"), layout = cursor.find("layout");
  if (strides && layout) cursor.mistake("found both strides and layout, expected one of them");
  if (strides) {
    constexpr std::string_view what = "a list of strides in elements, as in [pitch, 1]";
    const auto items = strides->items(what);
    for (const Cursor& item : items)
      tensor.strides.push_back(parse_formula(parsing, item).value_or(Text{"1", item.at()}));
    if (strides->is_list() && items.size() != tensor.shape.size())
      strides->mistake(fmt::format("found {} strides, expected {}: one for every axis of the shape",
                                   items.size(), tensor.shape.size()));
    else if (!items.empty())
      tensor.layout = Layout::strided;
  }
  if (!layout) return;
  const auto word = layout->word("the name of a layout");
  if (!word) return;
  if (*word != name_of(Layout::scales_128x4))
    return layout->mistake("unknown layout: " +
                           found_one_of(yaml::excerpt(*word), {std::string(name_of(Layout::scales_128x4))}));
  if (tensor.shape.size() != 2 && tensor.shape.size() != 3)
    return layout->mistake(
        fmt::format("found {} for a shape of rank {}, expected [rows, columns] or [batch, rows, columns]",
                    *word, tensor.shape.size()));
  tensor.layout = Layout::scales_128x4;
}

}  // namespace podium::problem
