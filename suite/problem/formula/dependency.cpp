// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Depth-first search; an item met again while it is open closes a ring.
#include "suite/problem/formula/dependency.hpp"

#include <algorithm>

namespace podium::problem {
namespace {

enum class Mark { fresh, open, done };

struct Search {
  const std::vector<std::vector<std::size_t>>& uses;
  std::vector<Mark> marks;
  std::vector<std::size_t> path;
  Order result;

  void visit(std::size_t item) {
    if (marks[item] == Mark::done || !result.cycle.empty()) return;
    if (marks[item] == Mark::open) {
      result.cycle.assign(std::find(path.begin(), path.end(), item), path.end());
      return;
    }
    marks[item] = Mark::open;
    path.push_back(item);
    for (const std::size_t used : uses[item]) visit(used);
    path.pop_back();
    marks[item] = Mark::done;
    result.order.push_back(item);
  }
};

}  // namespace

Order dependency_order(const std::vector<std::vector<std::size_t>>& uses) {
  Search search{uses, std::vector<Mark>(uses.size(), Mark::fresh), {}, {}};
  for (std::size_t item = 0; item < uses.size(); ++item) search.visit(item);
  return search.result;
}

}  // namespace podium::problem
