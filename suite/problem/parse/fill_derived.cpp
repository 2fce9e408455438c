// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Derived fills: { index: [i, j], value: "exp(x(i, j)) / total(i)" }, or any other form of a reference. Here
// it is decided which fills these are, and found where the file has them; they are read with the references.
#include <algorithm>

#include "suite/problem/formula/access.hpp"
#include "suite/problem/formula/fill_term.hpp"
#include "suite/problem/parse/parsing.hpp"

namespace podium::problem {
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
