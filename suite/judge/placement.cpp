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

// Takes ranges of the arena one after the other and leaves guards between them.
class Placer {
 public:
  // `used` of `allocated` bytes, `shift` bytes further than they need to be.
  Range take(const std::string& name, std::int64_t used, std::int64_t allocated, std::int64_t shift) {
    const std::int64_t offset = aligned(end_) + least_guard + shift;
    placement_.guards.push_back({free_from_, offset - free_from_});
    placement_.guarded.push_back(name);
    free_from_ = offset + used;
    end_ = offset + std::max(used, allocated);
    return {offset, used};
  }
  // Behind the last range only its own guard is kept: the rest of a large arena belongs to other workloads.
  Placement finish(std::int64_t arena) {
    const std::int64_t end = std::min(arena, end_ + least_guard + most_shift);
    placement_.guards.push_back({free_from_, end - free_from_});
    return std::move(placement_);
  }
  Placement& placement() { return placement_; }
  // What was taken so far belongs to one call; the next has the same structure.
  Placement next() {
    Placement done = std::move(placement_);
    placement_ = {};
    placement_.structure = done.structure;
    return done;
  }

 private:
  Placement placement_;
  std::int64_t free_from_ = 0, end_ = 0;
};

}  // namespace

std::int64_t arena_bytes(const problem::Instance& instance, int calls) {
  std::int64_t total = least_guard;
  for (const auto& structure : instance.structure)
    if (structure.visible) total += aligned(structure.bytes) + least_guard;
  for (const auto& tensor : instance.tensors)
    if (tensor.visible)
      total += calls * (aligned(std::max(tensor.bytes, tensor.whole_bytes)) + most_shift + least_guard);
  return total;
}

int calls_within(const problem::Instance& instance, std::int64_t arena, int most) {
  int calls = most;
  while (calls > 1 && arena_bytes(instance, calls) > arena) --calls;
  return calls;
}

std::vector<Placement> place_calls(const problem::Instance& instance, std::int64_t arena, std::uint64_t seed,
                                   int calls) {
  std::mt19937_64 random(seed);
  Placer placer;
  for (const auto& structure : instance.structure)
    placer.placement().structure.push_back(
        structure.visible ? placer.take(structure.name, structure.bytes, structure.bytes, 0) : Range{});
  std::vector<Placement> all;
  for (int call = 0; call < calls; ++call) {
    if (call > 0) all.push_back(placer.next());
    for (const auto& tensor : instance.tensors) {
      if (!tensor.visible) break;  // private ones come last
      const auto shift =
          static_cast<std::int64_t>(random() % (most_shift / tensor_alignment)) * tensor_alignment;
      placer.placement().tensors.push_back(placer.take(tensor.name, tensor.bytes, tensor.whole_bytes, shift));
    }
  }
  all.push_back(placer.finish(arena));
  return all;
}

Placement place(const problem::Instance& instance, std::int64_t arena, std::uint64_t seed) {
  return std::move(place_calls(instance, arena, seed, 1).front());
}

}  // namespace podium::judge
