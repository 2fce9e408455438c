// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where a sample's tensors lie in the arena: never twice at the same addresses, guard zones between them.
// Structure that contestants see lies before them, at the same addresses for as long as an instance lives.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "suite/problem/model/instance.hpp"

namespace podium::judge {

inline constexpr std::int64_t tensor_alignment = 256;  // bytes; what contestants are promised
inline constexpr std::int64_t least_guard = 64 << 10;  // bytes before and behind every tensor
inline constexpr std::int64_t most_shift = 64 << 10;   // bytes by which each tensor is moved at random
inline constexpr std::uint8_t guard_byte = 0xDB;

constexpr std::int64_t aligned(std::int64_t bytes) {
  return (bytes + tensor_alignment - 1) / tensor_alignment * tensor_alignment;
}

struct Range {
  std::int64_t offset = 0, bytes = 0;
};

struct Guard {
  Range at;
  std::string name;  // of what it stands before, or behind
  bool before = false;
};

struct Placement {
  std::vector<Range> structure;  // in the order of the problem; empty ranges for what is private
  std::vector<Range> tensors;    // in the order of the problem: the parts in use
  // Before the first, between them and behind the last; what of a tensor is not in use belongs to the guard.
  std::vector<Guard> guards;
};

// For `calls` behind one gate, each with tensors of its own.
std::int64_t arena_bytes(const problem::Instance& instance, int calls = 1);
// How many calls, at most `most` and at least 1, have room in `arena` bytes.
int calls_within(const problem::Instance& instance, std::int64_t arena, int most);
// Anywhere in the first `room` bytes of the arena, of which there are at least arena_bytes(instance, calls):
// not all of a machine's memory is equally fast, and a call alone is compared with several.
Placement place(const problem::Instance& instance, std::int64_t room, std::uint64_t seed);
// One a call, side by side. Structure is common to them; what lies before a call's first tensor is its guard,
// what lies behind the last tensor of all that of the last.
std::vector<Placement> place_calls(const problem::Instance& instance, std::int64_t room, std::uint64_t seed,
                                   int calls);

}  // namespace podium::judge
