// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Sample, cost, requirements and baselines.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "suite/base/nearest.hpp"
#include "suite/problem/parsing.hpp"
#include "suite/problem/utf8.hpp"

namespace podium::problem {
namespace {

std::optional<Text> not_auto(const Cursor& bytes) {
  bytes.mistake(found_one_of(yaml::excerpt(bytes.raw()), {"auto"}) + " or a formula");
  return std::nullopt;
}

}  // namespace

void parse_sample(Parsing& parsing, const Cursor& root) {
  const auto sample = root.find("sample");
  if (!sample) return;
  std::vector<std::string> indices;  // of outputs and checks: nothing else is sampled
  for (const Reference& reference : parsing.problem.references)
    for (const Index& index : reference.index)
      if ((reference.output || reference.check) &&
          std::find(indices.begin(), indices.end(), index.name) == indices.end())
        indices.push_back(index.name);
  // Indices of a reference that could not be read are not known.
  const bool clear = std::none_of(
      parsing.problem.tensors.begin(), parsing.problem.tensors.end(),
      [&](const Tensor& t) { return t.role != Role::input && parsing.unclear.contains(t.name); });
  for (const Cursor& field : sample->fields("a map from indices to how many are drawn, as in { i: 64 }")) {
    if (clear && std::find(indices.begin(), indices.end(), field.name()) == indices.end())
      field.mistake("not an index of an output or check: " +
                    found_one_of(yaml::excerpt(field.name()), indices));
    if (const auto count = field.whole("a whole number of at least 1", 1, largest_whole))
      parsing.problem.sample[field.name()] = *count;
  }
}

void parse_cost(Parsing& parsing, const Cursor& root) {
  const auto cost = root.find("cost");
  if (!cost) return;
  if (!cost->is_map()) return cost->expected("a map, as in { bytes: auto, flops: 2 * m * n * k }");
  cost->keys(form("cost"));
  if (const auto bytes = cost->find("bytes"); bytes && bytes->raw() != "auto")
    parsing.problem.bytes =
        nearest(bytes->raw(), {"auto"}).empty() ? parse_formula(parsing, *bytes) : not_auto(*bytes);
  if (const auto flops = cost->find("flops")) parsing.problem.flops = parse_formula(parsing, *flops);
}

void parse_requires(Parsing& parsing, const Cursor& root) {
  const auto section = root.find("requires");
  if (!section) return;
  if (!section->is_map()) return section->expected("a map, as in { memory: 2 GiB }");
  section->keys(form("requires"));
  if (const auto memory = section->find("memory")) parsing.problem.memory_limit = memory->bytes().value_or(0);
  if (const auto scratch = section->find("scratch"))
    parsing.problem.scratch_limit = scratch->bytes().value_or(0);
}

void parse_baseline(Parsing& parsing, const Cursor& root) {
  const auto baseline = root.find("baseline");
  if (!baseline) return;
  if (!baseline->is_map())
    return baseline->expected("a map from backends to contestants, as in { host: threads }");
  baseline->keys(form("baseline"));
  for (const Cursor& field : baseline->fields("")) {
    const auto name = field.word("a contestant's name");
    if (!name) continue;
    const bool plain = std::all_of(name->begin(), name->end(), [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
    });
    if (plain && name->size() <= 100)
      parsing.problem.baseline[field.name()] = *name;
    else
      field.expected("a contestant's name, of letters, digits, _ and -: the name of its file without suffix");
  }
}

}  // namespace podium::problem
