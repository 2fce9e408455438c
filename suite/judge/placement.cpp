// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/placement.hpp"

#include <algorithm>
#include <random>

namespace podium::judge {
namespace {

// Takes ranges of the arena one after the other and leaves guards between them.
class Placer {
 public:
  // `used` of `allocated` bytes, `shift` bytes further than they need to be.
  Range take(const std::string& name, std::int64_t used, std::int64_t allocated, std::int64_t shift) {
    const std::int64_t offset = aligned(end_) + least_guard + shift;
    placement_.guards.push_back({{free_from_, offset - free_from_}, apart_ ? name : last_, apart_});
    apart_ = false;
    last_ = name;
    free_from_ = offset + used;
    end_ = offset + std::max(used, allocated);
    return {offset, used};
  }
  // Leaves them free. Of many only what lies behind the range before is guarded.
  void skip(std::int64_t bytes) {
    if (bytes > least_guard) {
      if (!last_.empty()) placement_.guards.push_back({{free_from_, least_guard}, last_, false});
      free_from_ = end_ + bytes;
      apart_ = true;
    }
    end_ += bytes;
  }
  // Behind the last range only its own guard is kept: the rest of a large arena belongs to other workloads.
  Placement finish(std::int64_t room) {
    const std::int64_t end = std::min(room, end_ + least_guard + most_shift);
    placement_.guards.push_back({{free_from_, end - free_from_}, last_, false});
    return std::move(placement_);
  }
  Placement& placement() { return placement_; }
  // What was taken so far belongs to one call; the next has the same structure.
  Placement next() {
    Placement done = std::move(placement_);
    placement_ = {};
    placement_.structure = done.structure;
    apart_ = true;
    return done;
  }

 private:
  Placement placement_;
  std::string last_;   // of the ranges taken
  bool apart_ = true;  // from it is what comes next
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

std::vector<Placement> place_calls(const problem::Instance& instance, std::int64_t room, std::uint64_t seed,
                                   int calls) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::int64_t bytes) {  // a multiple of the alignment
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(bytes / tensor_alignment)) *
           tensor_alignment;
  };
  Placer placer;
  for (const auto& structure : instance.structure)
    placer.placement().structure.push_back(
        structure.visible ? placer.take(structure.name, structure.bytes, structure.bytes, 0) : Range{});
  placer.skip(below(room - arena_bytes(instance, calls) + tensor_alignment));
  std::vector<Placement> all;
  for (int call = 0; call < calls; ++call) {
    if (call > 0) all.push_back(placer.next());
    for (const auto& tensor : instance.tensors) {
      if (!tensor.visible) break;  // private ones come last
      placer.placement().tensors.push_back(
          placer.take(tensor.name, tensor.bytes, tensor.whole_bytes, below(most_shift)));
    }
  }
  all.push_back(placer.finish(room));
  return all;
}

Placement place(const problem::Instance& instance, std::int64_t room, std::uint64_t seed) {
  return std::move(place_calls(instance, room, seed, 1).front());
}

}  // namespace podium::judge
