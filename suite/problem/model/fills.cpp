// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/model/fills.hpp"

#include <algorithm>

namespace podium::problem {
namespace {

bool same(const Fill& a, const Fill& b) { return a.index == b.index && a.term.text == b.term.text; }

}  // namespace

std::vector<const Fill*> value_fills(const Problem& problem, std::string_view tensor) {
  std::vector<const Fill*> found;
  const auto add = [&](const Fill& fill) {
    if (fill.kind != Fill::Kind::value) return;
    if (std::none_of(found.begin(), found.end(), [&](const Fill* other) { return same(*other, fill); }))
      found.push_back(&fill);
  };
  if (const Tensor* own = problem.tensor(tensor)) add(own->fill);
  for (const Workload& workload : problem.workloads)
    if (const auto fill = workload.fills.find(std::string(tensor)); fill != workload.fills.end())
      add(fill->second);
  return found;
}

std::size_t number_of_value_fill(const Problem& problem, std::string_view tensor, const Fill& fill) {
  if (fill.kind != Fill::Kind::value) return 0;
  const auto all = value_fills(problem, tensor);
  return static_cast<std::size_t>(
      std::find_if(all.begin(), all.end(), [&](const Fill* other) { return same(*other, fill); }) -
      all.begin());
}

}  // namespace podium::problem
