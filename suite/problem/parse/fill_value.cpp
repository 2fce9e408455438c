// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Fills by `value`: { index: [i, j], value: "random(0, min(i, j), max(i, j))" }.
#include <fmt/format.h>

#include <algorithm>

#include "suite/problem/formula/fill_term.hpp"
#include "suite/problem/parse/parsing.hpp"

namespace podium::problem {

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

}  // namespace podium::problem
