// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Problems of several devices: boards, the part that each rank has, the contestant's header, mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "suite/problem/generate/generate.hpp"
#include "suite/problem/instance/instantiate.hpp"
#include "suite/problem/parse/parse.hpp"
#include "tests/refusal.hpp"

namespace podium::problem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// `more` replaces or adds top-level keys.
std::string text(const std::string& ranks = "ranks: [2, 4]", const std::string& x = "per_rank: shard",
                 const std::string& more = "") {
  return "podium: 1\ntitle: Sums\naxes: [n]\n" + ranks + "\n" + more + R"y(
types: { real: [f32, f16] }
tensors:
  x: { role: input, dtype: real, shape: [8 * n, 3], )y" +
         x + R"y(, fill: sequence }
  w: { role: input, dtype: real, shape: [n], fill: ones }
  y: { role: output, dtype: real, shape: [ranks, n], per_rank: each, tolerance: { ulp: 1 } }
reference:
  y: { index: [r, i], value: "x(i, 0) * w(i) * ranks" }
workloads:
  test: [{ n: 6 }]
)y";
}

Problem parsed(const std::string& source) { return parse("sums", source, "problem.yaml"); }

std::string mistake(const std::string& source) {
  return refusal([&] { parsed(source); });
}

TEST(Ranks, EachNumberIsABoardForEachChoiceOfTypes) {
  const Problem problem = parsed(text());
  std::vector<std::string> names;
  for (const Choice& choice : problem.choices) names.push_back(choice.name);
  EXPECT_THAT(names, ElementsAre("f32-2ranks", "f32-4ranks", "f16-2ranks", "f16-4ranks"));
  EXPECT_TRUE(problem.ranked());
}

TEST(Ranks, TheNumberIsAnAxisOfTheBoard) {
  const Problem problem = parsed(text("ranks: [2, 4]", "per_rank: shard", "symmetric: 100 * ranks"));
  for (const Choice& choice : problem.choices) {
    const Instance instance = instantiate(problem, choice, problem.workloads[0]);
    EXPECT_EQ(instance.ranks, choice.ranks);
    EXPECT_EQ(instance.axes, (std::vector<std::int64_t>{6, choice.ranks}));
    EXPECT_EQ(instance.symmetric, 100 * choice.ranks);
    EXPECT_EQ(problem.workloads[0].name, "n=6") << "the board says how many";
  }
}

TEST(Ranks, APartIsWithoutTheRanksAxisOrAShareOfTheFirst) {
  const Problem problem = parsed(text());
  const Instance whole = instantiate(problem, problem.choices[1], problem.workloads[0]);
  const Instance part = part_of_rank(whole);
  EXPECT_THAT(whole.tensors[0].extents, ElementsAre(48, 3));
  EXPECT_THAT(part.tensors[0].extents, ElementsAre(12, 3));
  EXPECT_THAT(part.tensors[1].extents, ElementsAre(6)) << "all of what every rank has";
  EXPECT_THAT(part.tensors[2].extents, ElementsAre(6));
  for (const std::size_t t : {0, 2}) {
    EXPECT_EQ(part.tensors[t].bytes * 4, whole.tensors[t].bytes);
    EXPECT_EQ(part.tensors[t].elements * 4, whole.tensors[t].elements);
  }
}

TEST(Ranks, TrafficIsThatOfOneRank) {
  const Problem problem = parsed(text());
  const Instance instance = instantiate(problem, problem.choices[0], problem.workloads[0]);
  EXPECT_EQ(instance.bytes, 4 * (48 * 3 / 2 + 6 + 6));
}

TEST(Ranks, ContestantsSeeTheirPartAndTheTeam) {
  const Problem problem = parsed(text());
  const std::string header = contestant_header(problem, problem.choices[0]);
  EXPECT_THAT(header, HasSubstr("#include <podium/ranks.hpp>"));
  EXPECT_THAT(header, HasSubstr("podium::Team team;"));
  EXPECT_THAT(header, HasSubstr("podium::PackedTensor<const real, 2> x;  // [(8 * n) / ranks, 3]"));
  EXPECT_THAT(header, HasSubstr("podium::PackedTensor<real, 1> y;  // [n]"));
  EXPECT_THAT(header, HasSubstr("podium::wire::team(plain.axes + 2)"));
  const auto tensors = interface_of(problem, problem.choices[0])["tensors"];
  EXPECT_EQ(tensors[0], nlohmann::json({"x", "input", "f32", 2})) << "a share of the whole";
  EXPECT_EQ(tensors[2], nlohmann::json({"y", "output", "f32", 1})) << "no axis of ranks";
}

TEST(Ranks, OneDeviceSeesNothingOfThem) {
  const Problem problem = parse("one", R"y(
podium: 1
title: One
axes: [n]
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: ones }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 1 } }
reference: { y: { index: [i], value: "x(i)" } }
workloads: { test: [{ n: 6 }] }
)y",
                                "problem.yaml");
  EXPECT_FALSE(problem.ranked());
  EXPECT_EQ(problem.choices[0].name, "fixed");
  EXPECT_THAT(contestant_header(problem, problem.choices[0]), Not(HasSubstr("team")));
}

TEST(Ranks, AWorkloadMayBeOfSomeBoardsOnly) {
  std::string source = text();
  source.replace(source.find("{ n: 6 }"), 8, "{ n: 6 }, { n: 3, ranks: 4 }");
  const Problem problem = parsed(source);
  EXPECT_FALSE(on_board(problem.workloads[1], problem.choices[0]));
  EXPECT_TRUE(on_board(problem.workloads[1], problem.choices[1]));
}

TEST(Ranks, Mistakes) {
  EXPECT_THAT(mistake(text("ranks: [1]")),
              HasSubstr("ranks[0]: found \"1\", expected a whole number from 2 to 16"));
  EXPECT_THAT(mistake(text("ranks: [2, 2]")),
              HasSubstr("ranks[1]: found a number that the list already has"));
  EXPECT_THAT(mistake(text("ranks: []")), HasSubstr("ranks: found no number, expected at least one"));
  EXPECT_THAT(mistake(text("ranks: [2]", "per_rank: part")),
              HasSubstr("tensors.x.per_rank: found \"part\", expected one of each, shard"));
  EXPECT_THAT(mistake(text("ranks: [2]", "per_rank: shard, strides: [3, 1]")),
              HasSubstr("tensors.x.per_rank: found it beside used, strides or layout"));
  EXPECT_THAT(mistake(text("ranks: [5]")), HasSubstr("expected a multiple of 5, the number of ranks"));
  EXPECT_THAT(mistake(text("ranks: [2]", "per_rank: each")),
              HasSubstr("= 48, expected 2, the number of ranks: the tensor is per_rank: each"));
  EXPECT_THAT(mistake(text("conditions: [\"n > 0\"]")),
              HasSubstr("tensors.x.per_rank: found a part of a rank, expected the problem to say ranks"));
  EXPECT_THAT(mistake(text("ranks: [2]", "per_rank: shard", "symmetric: -1")),
              HasSubstr("symmetric: in the test workload n=6"));
  std::string source = text();
  source.replace(source.find("{ n: 6 }"), 8, "{ n: 6, ranks: 8 }");
  EXPECT_THAT(mistake(source),
              HasSubstr("found 8 ranks, expected one of the numbers that the problem states"));
}

}  // namespace
}  // namespace podium::problem
