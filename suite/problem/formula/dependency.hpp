// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// An order in which everything comes after what it uses.
#pragma once
#include <cstddef>
#include <vector>

namespace podium::problem {

struct Order {
  std::vector<std::size_t> order;  // all items, those used first; else as given
  std::vector<std::size_t> cycle;  // not empty: items that use each other in a ring, order is incomplete
};

// uses[i]: the items that item i uses.
Order dependency_order(const std::vector<std::vector<std::size_t>>& uses);

}  // namespace podium::problem
