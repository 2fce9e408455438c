// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Tensors in the arena: aligned, apart, moving, guarded all around; seeds that differ wherever names differ.
#include "suite/judge/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "suite/judge/seeds.hpp"

namespace podium::judge {
namespace {

problem::Instance instance_of(std::vector<std::int64_t> sizes) {
  problem::Instance instance;
  for (const auto bytes : sizes) instance.tensors.push_back({.name = "t", .elements = bytes, .bytes = bytes});
  return instance;
}

TEST(Placement, KeepsTensorsAlignedApartAndInsideTheArena) {
  const auto instance = instance_of({1, 0, 4096, 1000003, 255});
  const auto arena = arena_bytes(instance);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto placement = place(instance, arena, seed);
    ASSERT_EQ(placement.tensors.size(), 5u);
    ASSERT_EQ(placement.guards.size(), 6u);
    std::int64_t at = 0;
    for (std::size_t t = 0; t < 5; ++t) {
      EXPECT_EQ(placement.guards[t].at.offset, at);
      EXPECT_GE(placement.guards[t].at.bytes, least_guard);
      EXPECT_EQ(placement.guards[t].at.offset + placement.guards[t].at.bytes, placement.tensors[t].offset);
      EXPECT_EQ(placement.tensors[t].offset % tensor_alignment, 0);
      EXPECT_EQ(placement.tensors[t].bytes, instance.tensors[t].bytes);
      at = placement.tensors[t].offset + placement.tensors[t].bytes;
    }
    EXPECT_EQ(placement.guards[5].at.offset, at);
    EXPECT_GE(placement.guards[5].at.bytes, least_guard);
    EXPECT_LE(placement.guards[5].at.offset + placement.guards[5].at.bytes, arena);
  }
}

TEST(Placement, MovesTensorsFromSampleToSample) {
  const auto instance = instance_of({4096, 4096});
  std::set<std::int64_t> first, second;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto placement = place(instance, arena_bytes(instance), seed);
    first.insert(placement.tensors[0].offset);
    second.insert(placement.tensors[1].offset);
  }
  EXPECT_GT(first.size(), 50u);
  EXPECT_GT(second.size(), 50u);
}

// What a tensor has beyond its part in use is kept free for it, and guarded.
TEST(Placement, GuardsWhatIsNotInUse) {
  auto instance = instance_of({4096, 4096});
  instance.tensors[0].whole_bytes = 1 << 20;
  const auto placement = place(instance, arena_bytes(instance), 7);
  EXPECT_EQ(placement.tensors[0].bytes, 4096);
  EXPECT_EQ(placement.guards[1].at.offset, placement.tensors[0].offset + 4096);
  EXPECT_GE(placement.tensors[1].offset, placement.tensors[0].offset + (1 << 20) + least_guard);
  EXPECT_EQ(placement.guards[1].at.offset + placement.guards[1].at.bytes, placement.tensors[1].offset);
}

// Structure stays where it is, apart from all else; what is private has no place.
TEST(Placement, KeepsStructureInItsPlace) {
  auto instance = instance_of({4096});
  for (const bool visible : {true, false, true})
    instance.structure.push_back({.name = "s", .visible = visible, .elements = 100, .bytes = 100});
  const auto one = place(instance, arena_bytes(instance), 1),
             other = place(instance, arena_bytes(instance), 2);
  ASSERT_EQ(one.structure.size(), 3u);
  EXPECT_EQ(one.structure[1].bytes, 0);
  for (const std::size_t s : {0u, 2u}) {
    EXPECT_EQ(one.structure[s].bytes, 100);
    EXPECT_EQ(one.structure[s].offset % tensor_alignment, 0);
    EXPECT_EQ(one.structure[s].offset, other.structure[s].offset);
  }
  EXPECT_GE(one.structure[2].offset, one.structure[0].offset + 100 + least_guard);
  EXPECT_GE(one.tensors[0].offset, one.structure[2].offset + 100 + least_guard);
  ASSERT_EQ(one.guards.size(), 4u);
  const std::vector<std::pair<std::string, bool>> expected{
      {"s", true}, {"s", false}, {"s", false}, {"t", false}};
  for (std::size_t g = 0; g < expected.size(); ++g) {
    EXPECT_EQ(one.guards[g].name, expected[g].first);
    EXPECT_EQ(one.guards[g].before, expected[g].second);
  }
  EXPECT_LE(one.guards[3].at.offset + one.guards[3].at.bytes, arena_bytes(instance));
}

// One call lies where any of several may, with its guards; structure does not move with it.
TEST(Placement, UsesAllOfTheRoom) {
  auto instance = instance_of({1 << 20, 1 << 20});
  instance.structure.push_back({.name = "s", .visible = true, .elements = 100, .bytes = 100});
  const auto room = arena_bytes(instance, 5);
  std::int64_t least = room, most = 0;
  int apart = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const auto placement = place(instance, room, seed);
    EXPECT_EQ(placement.structure[0].offset, place(instance, room, 0).structure[0].offset);
    least = std::min(least, placement.tensors[0].offset);
    most = std::max(most, placement.guards.back().at.offset + placement.guards.back().at.bytes);
    const auto guarded = [&](std::int64_t byte) {
      return std::ranges::any_of(placement.guards, [&](const Guard& guard) {
        return guard.at.offset <= byte && byte < guard.at.offset + guard.at.bytes;
      });
    };
    std::int64_t all = 0;
    for (const Guard& guard : placement.guards) all += guard.at.bytes;
    EXPECT_LE(all, 6 * (least_guard + most_shift)) << "what is far from all tensors costs no time";
    for (const Range& at : {placement.structure[0], placement.tensors[0], placement.tensors[1]})
      for (const std::int64_t away : {std::int64_t{1}, least_guard}) {
        EXPECT_TRUE(guarded(at.offset - away)) << away << " bytes before";
        EXPECT_TRUE(guarded(at.offset + at.bytes - 1 + away)) << away << " bytes behind";
      }
    if (placement.guards.size() == 4) continue;
    ++apart;
    ASSERT_EQ(placement.guards.size(), 5u);
    EXPECT_TRUE(placement.guards[1].name == "s" && !placement.guards[1].before);
    EXPECT_TRUE(placement.guards[2].name == "t" && placement.guards[2].before);
  }
  EXPECT_GT(apart, 450);
  EXPECT_LT(least, room / 20);
  EXPECT_GT(most, room - room / 20);
  EXPECT_LE(most, room);
}

// Calls behind one gate: tensors of their own, nothing unguarded between them, structure in common.
TEST(Placement, KeepsCallsApart) {
  auto instance = instance_of({4096, 1, 100000});
  instance.structure.push_back({.name = "s", .visible = true, .elements = 100, .bytes = 100});
  constexpr int calls = 5;
  const auto arena = arena_bytes(instance, calls);
  EXPECT_LT(arena, calls * arena_bytes(instance)) << "structure is there once";
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto all = place_calls(instance, arena, seed, calls);
    ASSERT_EQ(all.size(), std::size_t{calls});
    std::int64_t at = 0;  // up to where every byte is a tensor's or a guard's
    for (std::size_t k = 0; k < all.size(); ++k) {
      EXPECT_EQ(all[k].structure[0].offset, all[0].structure[0].offset);
      EXPECT_EQ(all[k].structure[0].bytes, 100);
      std::vector<Range> taken = all[k].tensors;
      if (k == 0) taken.insert(taken.begin(), all[k].structure[0]);
      const bool last = k + 1 == all.size();
      ASSERT_EQ(all[k].guards.size(), taken.size() + last);
      for (std::size_t t = 0; t < taken.size(); ++t) {
        EXPECT_EQ(all[k].guards[t].at.offset, at);
        EXPECT_GE(all[k].guards[t].at.bytes, least_guard);
        EXPECT_EQ(all[k].guards[t].at.offset + all[k].guards[t].at.bytes, taken[t].offset);
        at = taken[t].offset + taken[t].bytes;
      }
      if (!last) continue;
      EXPECT_EQ(all[k].guards.back().at.offset, at);
      EXPECT_GE(all[k].guards.back().at.bytes, least_guard);
      EXPECT_LE(all[k].guards.back().at.offset + all[k].guards.back().at.bytes, arena);
    }
  }
}

TEST(Placement, KnowsHowManyCallsHaveRoom) {
  const auto instance = instance_of({1 << 20, 1 << 20});
  for (const int calls : {1, 2, 5, 8}) {
    const auto arena = arena_bytes(instance, calls);
    EXPECT_EQ(calls_within(instance, arena, 8), calls);
    EXPECT_EQ(calls_within(instance, arena + (1 << 20), 8), calls);
    EXPECT_EQ(calls_within(instance, arena - 1, 8), std::max(1, calls - 1));
  }
  EXPECT_EQ(calls_within(instance, arena_bytes(instance, 8), 3), 3);
}

TEST(Placement, LeavesARoomierArenaAlone) {
  const auto instance = instance_of({4096});
  const auto placement = place(instance, std::int64_t{1} << 30, 1);
  EXPECT_LE(placement.guards.back().at.bytes, least_guard + most_shift);
}

TEST(Seeds, DifferInEveryPartOfTheName) {
  const Secret secret = {1, 2}, other = {1, 3};
  const SampleName name{"sum", "f32", "n=1024", 3, 5, 0};
  std::set<std::uint64_t> seeds{seed_of(secret, "inputs", name)};
  const auto add = [&](const Secret& s, const char* purpose, const SampleName& n) {
    seeds.insert(seed_of(s, purpose, n));
  };
  add(other, "inputs", name);
  add(secret, "placement", name);
  add(secret, "inputs", {"sort", "f32", "n=1024", 3, 5, 0});
  add(secret, "inputs", {"sum", "f16", "n=1024", 3, 5, 0});
  add(secret, "inputs", {"sum", "f32", "n=1025", 3, 5, 0});
  add(secret, "inputs", {"sum", "f32", "n=1024", 4, 5, 0});
  add(secret, "inputs", {"sum", "f32", "n=1024", 3, 6, 0});
  add(secret, "inputs", {"sum", "f32", "n=1024", 3, 5, 1});
  EXPECT_EQ(seeds.size(), 9u);
  EXPECT_EQ(seed_of(secret, "inputs", name), seed_of(secret, "inputs", name));
}

TEST(Seeds, SecretsAreDrawnAnew) { EXPECT_NE(draw_secret(), draw_secret()); }

}  // namespace
}  // namespace podium::judge
