// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Probes: vectors of +-1 that are drawn after the call and read like tensors.
#include <fmt/format.h>

#include <algorithm>

#include "suite/problem/formula/reference_forms.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::problem {
namespace {

void shape_of_probe(Parsing& parsing, const Cursor& cursor, Reference& probe) {
  const auto shape = cursor.need("shape", "a list of extents, as in [n]");
  if (!shape) return;
  const auto extents = shape->items("a list of extents, as in [n]");
  for (std::size_t k = 0; k < extents.size(); ++k)
    probe.index.push_back({fmt::format("podium_k{}", k),
                           {"0", extents[k].at()},
                           parse_formula(parsing, extents[k]).value_or(Text{"1", extents[k].at()})});
  if (shape->is_list() && (extents.empty() || extents.size() > protocol::max_rank))
    shape->mistake(fmt::format("found rank {}, expected 1 to {}", extents.size(), protocol::max_rank));
}

}  // namespace

std::vector<Reference> parse_probes(Parsing& parsing, const Cursor& root) {
  std::vector<Reference> probes;
  const auto section = root.find("probe");
  if (!section) return probes;
  const std::string what = "a map from names to probes, as in { z: { shape: [n] } }";
  for (const Cursor& field : section->fields(what)) {
    if (!parsing.names.declare(field, field.name(), "probe")) continue;
    const std::size_t before = parsing.mistakes.count();
    Reference probe = plain_reference();
    probe.name = field.name();
    probe.at = field.at();
    probe.probe = true;
    if (!field.is_map())
      field.expected("a map, as in { shape: [n] }");
    else {
      field.keys(form("probe"));
      shape_of_probe(parsing, field, probe);
    }
    std::string coordinates;
    for (const Index& index : probe.index) coordinates += ", " + index.name;
    probe.term = {fmt::format("podium::program::probe(podium_words, {}{})", probes.size(), coordinates),
                  field.at()};
    if (parsing.mistakes.count() != before) parsing.unclear.insert(field.name());
    probes.push_back(std::move(probe));
  }
  return probes;
}

std::vector<Cursor> general_checks(const Cursor& root) {
  std::vector<Cursor> found;
  const auto checks = root.find("checks");
  if (!checks || !checks->is_map()) return found;
  for (const Cursor& field : checks->fields("")) {
    if (!field.is_map()) continue;
    field.keys(form("check"));  // so that misspelt ones are found
    const auto stated = [&](const std::string& key) { return field.find(key).has_value(); };
    if (std::any_of(general_keys.begin(), general_keys.end(), stated)) found.push_back(field);
  }
  return found;
}

std::string untrusted(const Problem& problem, const Dependence& depends) {
  for (std::size_t t = 0; t < depends.written.size(); ++t)
    if (depends.written[t]) return fmt::format("{}, an output without a reference", problem.tensors[t].name);
  return depends.probe ? "a probe" : "";
}

}  // namespace podium::problem
