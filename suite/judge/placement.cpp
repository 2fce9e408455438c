// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/placement.hpp"

#include <algorithm>
#include <random>

namespace podium::judge {
namespace {

std::int64_t aligned(std::int64_t bytes) {
  return (bytes + tensor_alignment - 1) / tensor_alignment * tensor_alignment;
}

}  // namespace

std::int64_t arena_bytes(const problem::Instance& instance) {
  std::int64_t total = least_guard;
  for (const auto& tensor : instance.tensors) total += aligned(tensor.bytes) + most_shift + least_guard;
  return total;
}

Placement place(const problem::Instance& instance, std::int64_t arena, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Placement placement;
  std::int64_t free_from = 0;
  for (const auto& tensor : instance.tensors) {
    const auto shift =
        static_cast<std::int64_t>(random() % (most_shift / tensor_alignment)) * tensor_alignment;
    const std::int64_t offset = aligned(free_from) + least_guard + shift;
    placement.guards.push_back({free_from, offset - free_from});
    placement.tensors.push_back({offset, tensor.bytes});
    free_from = offset + tensor.bytes;
  }
  // Behind the last tensor only its own guard is kept: the rest of a large arena belongs to other workloads.
  placement.guards.push_back({free_from, std::min(arena - free_from, least_guard + most_shift)});
  return placement;
}

}  // namespace podium::judge
