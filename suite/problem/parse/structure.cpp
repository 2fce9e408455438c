// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Structure: shapes, parts in use and the texts that compute it.
#include <fmt/format.h>

#include <algorithm>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/problem/compute/compute.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/problem/yaml/utf8.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::problem {
namespace {

constexpr std::size_t most_structures = 64;  // those that contestants do not see included

Dtype parse_structure_dtype(const Cursor& cursor) {
  const std::vector<std::string>& dtypes = words("structure_dtype");
  const auto word = cursor.word("a dtype");
  if (word && std::find(dtypes.begin(), dtypes.end(), *word) != dtypes.end())
    return dtype_named(*word).value();
  if (word) cursor.mistake("not a dtype of structure: " + found_one_of(yaml::excerpt(*word), dtypes));
  return Dtype::i32;
}

Structure parse_one(Parsing& parsing, const Cursor& cursor) {
  Structure structure;
  structure.name = cursor.name();
  structure.at = cursor.at();
  cursor.keys(form("structure"));
  if (const auto field = cursor.need("dtype", "a dtype, as in i32"))
    structure.dtype = parse_structure_dtype(*field);
  if (const auto field = cursor.need("shape", "a list of extents, as in [batch]"))
    structure.shape = parse_shape(parsing, *field);
  if (const auto field = cursor.find("private")) structure.visible = !field->truth().value_or(false);
  if (const auto field =
          cursor.need("compute", "statements, as in \"for (b : batch) out(b) = 1 + random.below(9);\""))
    structure.compute = field->text("statements").value_or(Text{});
  return structure;
}

ComputeNames names_for(const Problem& problem, const Structure& structure) {
  ComputeNames names = compute_names(problem, problem.structure.size());
  names.out = {structure.shape.size(), info(structure.dtype).floating};
  return names;
}

void try_compute(Parsing& parsing, const Cursor& field, const Structure& structure) {
  if (structure.compute.text.empty() || parsing.names.mentions_doubtful(structure.compute.text)) return;
  for (const ComputeError& fault :
       faults_of_compute(structure.compute, names_for(parsing.problem, structure)))
    parsing.mistakes.add(fault.at(), field.find("compute")->key(), fault.what());
}

}  // namespace

void parse_structure(Parsing& parsing, const Cursor& root) {
  const auto section = root.find("structure");
  if (!section) return;
  auto& list = parsing.problem.structure;
  if (!section->is_map()) parsing.names.doubt_declared(*section);
  const auto fields = section->fields("a map from names to structure");
  if (fields.size() > most_structures) {
    parsing.names.doubt_declared(*section);
    return section->mistake(
        fmt::format("found {} structures, expected at most {}", fields.size(), most_structures));
  }
  for (const Cursor& field : fields) {
    if (!parsing.names.declare(field, field.name(), "structure")) continue;
    Structure structure;
    structure.name = field.name();
    if (field.is_map()) {
      structure = parse_one(parsing, field);
      try_compute(parsing, field, structure);
    } else {
      field.expected("a map, as in { dtype: i32, shape: [batch], compute: \"…\" }");
    }
    list.push_back(structure);
    StructureInstance& trial = parsing.trial_structure[structure.name];
    trial.extents.assign(structure.shape.size(), 1);
    parsing.scope.structure[structure.name] = &trial;
    if (const auto used = field.is_map() ? field.find("used") : std::nullopt)
      list.back().used = parse_used(parsing, *used, structure.shape.size());
  }
  const auto visible = std::count_if(list.begin(), list.end(), [](const Structure& s) { return s.visible; });
  if (visible > protocol::max_structures)
    section->mistake(fmt::format("found {} that contestants see, expected at most {}; make helpers private",
                                 visible, protocol::max_structures));
}

std::optional<Text> parse_used(Parsing& parsing, const Cursor& cursor, std::size_t rank) {
  if (rank == 0) cursor.mistake("found used of a single number, expected it where there is a first axis");
  return parse_formula(parsing, cursor);
}

}  // namespace podium::problem
