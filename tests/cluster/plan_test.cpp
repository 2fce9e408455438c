// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Shards of campaigns: what is put together, what is split, what cannot run, and what users see of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "suite/cluster/planning.hpp"
#include "tests/cluster/simulated.hpp"
#include "tests/refusal.hpp"

namespace podium::cluster {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// An earlier run in which every board took the same time.
record::Provenance earlier(const std::vector<std::string>& problems, double verification, double round,
                           int contestants) {
  record::Provenance p{
      .device = {.backend = "cuda", .architecture = "sm_90"}, .rounds = 7, .wall_seconds = 1};
  for (const std::string& problem : problems) {
    record::BoardRecord& board = p.boards.emplace_back();
    board.problem = problem;
    board.types = "f32";
    board.stage = "bench";
    board.workloads = {"a", "b"};
    board.contestants = contestants_of(contestants);
    board.seconds = verification + 7 * round;
    board.verification_seconds = verification;
  }
  return p;
}

Campaign campaign_on(const std::vector<Partition>& partitions) {
  Campaign campaign{.name = "nightly"};
  campaign.partitions = partitions;
  return campaign;
}

TEST(Plan, ShortBoardsArePackedAndLongOnesAreSplitByRounds) {
  Campaign campaign = campaign_on({a_partition("h200", "cuda", "sm_90", 3600)});
  Offer offer{.partition = &campaign.partitions.front()};
  for (const char* name : {"long", "short_a", "short_b", "short_c"})
    offer.candidates.push_back(candidate(name, 4));
  Estimates estimates;
  estimates.add("BEFORE", earlier({"short_a", "short_b", "short_c"}, 60, 60, 4));  // 8 min each
  estimates.add("LONG", earlier({"long"}, 600, 600, 4));                           // 80 min
  const Plan plan = make_plan(campaign, {offer}, estimates);
  ASSERT_EQ(plan.shards.size(), 4U);
  // 2880 s are usable, less 60 of starting, 20 of building, 600 of verification: three rounds a shard.
  std::vector<std::pair<int, int>> rounds;
  for (const Shard& shard : plan.shards)
    if (shard.boards.front().problem == "long") rounds.emplace_back(shard.first_round, shard.rounds);
  EXPECT_THAT(rounds, ElementsAre(std::pair(0, 3), std::pair(3, 2), std::pair(5, 2)));
  const Shard& packed = plan.shards[3];
  EXPECT_EQ(text_of(packed.boards), "short_a/f32, short_b/f32, short_c/f32");
  EXPECT_EQ(packed.rounds, 7);
  EXPECT_EQ(packed.estimate, 60 + 3 * (20 + 480));
  EXPECT_EQ(packed.estimate_from, "BEFORE");
  EXPECT_THAT(packed.arguments,
              ElementsAre("run", "short_a", "short_b", "short_c", "--full", "--rounds", "7", "--device",
                          "cuda", "--benchmark_filter=^(short_a/(f32)|short_b/(f32)|short_c/(f32))/"));
}

// Contestants are compared with each other: all of them stay together.
TEST(Plan, ABoardIsNeverSplitByContestantsOrTwiceInARound) {
  Campaign campaign = campaign_on({a_partition("h200", "cuda", "sm_90", 1800)});
  campaign.runs = 3;
  Offer offer{.partition = &campaign.partitions.front()};
  for (int i = 0; i < 30; ++i) offer.candidates.push_back(candidate(fmt::format("p{:02}", i), 5 + 10 * i));
  const Plan plan = make_plan(campaign, {offer}, {});
  std::map<Board, std::set<int>> rounds;
  for (const Shard& shard : plan.shards) {
    EXPECT_TRUE(shard.contestants.empty());
    EXPECT_LE(shard.estimate, usable_share * 1800 + 1);
    for (const Board& board : shard.boards)
      for (int round = 0; round < shard.rounds; ++round)
        EXPECT_TRUE(rounds[board].insert(shard.first_round + round).second) << text_of(board);
  }
  for (const auto& [board, all] : rounds) EXPECT_EQ(all.size(), 21U) << text_of(board);
}

TEST(Plan, WhatDoesNotFitCannotRunAndSaysWhy) {
  Campaign campaign = campaign_on({a_partition("short", "cuda", "sm_90", 600)});
  Offer offer{.partition = &campaign.partitions.front(), .candidates = {candidate("huge", 4)}};
  Estimates estimates;
  estimates.add("BEFORE", earlier({"huge"}, 60, 900, 4));
  const Plan plan = make_plan(campaign, {offer}, estimates);
  EXPECT_TRUE(plan.shards.empty());
  ASSERT_EQ(plan.cannot.size(), 1U);
  EXPECT_EQ(
      plan.cannot[0].why,
      "one round takes about 17 min with its verification, and a job of this partition may take 10 min, of "
      "which 80 % are planned for; raise time_limit, or name fewer contestants");
}

TEST(Plan, EstimatesAreOfTheSameDeviceTypeAndScaleWithContestants) {
  Estimates estimates;
  estimates.add("BEFORE", earlier({"sum"}, 10, 20, 4));
  const auto of = [&](const Partition& on, int contestants) {
    return estimates.of(on, candidate("sum", contestants));
  };
  EXPECT_EQ(of(a_partition("a", "cuda", "sm_90"), 8).of(7), 2 * (10 + 7 * 20));
  EXPECT_EQ(of(a_partition("a", "cuda", "sm_90"), 4).from, "BEFORE");
  EXPECT_EQ(of(a_partition("a", "cuda", ""), 4).from, "BEFORE");
  EXPECT_EQ(of(a_partition("a", "cuda", "sm_100"), 4).from, by_default);
  EXPECT_EQ(of(a_partition("a", "hip", "gfx942"), 4).from, by_default);
  // The newest counts.
  estimates.add("OLDER", earlier({"sum"}, 99, 99, 4));
  EXPECT_EQ(of(a_partition("a", "cuda", "sm_90"), 4).from, "BEFORE");
  // Runs of before recorded no time of a board: it has its share.
  record::Provenance old = earlier({"sort", "qr"}, 0, 0, 4);
  for (auto& board : old.boards) board.seconds = board.verification_seconds = -1;
  old.wall_seconds = 170;
  old.spent.building = 10;
  estimates.add("OLD", old);
  EXPECT_EQ(estimates.of(a_partition("a", "cuda", "sm_90"), candidate("qr", 4)).of(7), 80);
}

TEST(Plan, ContestantsAndOptionsReachTheCommandAndNamesAreLiteral) {
  Campaign campaign = campaign_on({a_partition("h200", "cuda", "sm_90")});
  campaign.isolated = campaign.cold_only = campaign.energy = campaign.require_sandbox = true;
  campaign.rounds = 9;
  Candidate one = candidate("sum", 3, "f32+i8");
  one.level = "quick";
  one.named = {"contestant_001"};
  const Plan plan =
      make_plan(campaign, {Offer{.partition = &campaign.partitions.front(), .candidates = {one}}}, {});
  ASSERT_EQ(plan.shards.size(), 1U);
  EXPECT_THAT(plan.shards[0].arguments,
              ElementsAre("run", "sum", "--quick", "--rounds", "9", "--device", "cuda",
                          "--benchmark_filter=^(sum/(f32\\+i8))/", "--contestant", "contestant_001",
                          "--isolated", "--cold-only", "--energy", "--require-sandbox"));
}

// What a user of two partitions sees.
TEST(Plan, ShowsPartitionsShardsAndWhatCannotRun) {
  Campaign campaign = campaign_on(
      {a_partition("h200", "cuda", "sm_90", 3600), a_partition("mi300", "hip", "gfx942", 2 * 86400)});
  Offer cuda{.partition = &campaign.partitions[0],
             .candidates = {candidate("softmax", 6), candidate("sum", 4)}};
  Offer hip{.partition = &campaign.partitions[1], .candidates = {candidate("sum", 3)}};
  for (const char* types : {"f16", "bf16"})
    hip.cannot.push_back({"softmax", types, "mi300", "contestant online needs miopen, which was not found"});
  Estimates estimates;
  estimates.add("20250131T134500Z-0001", earlier({"softmax"}, 120, 600, 6));
  const Plan plan = make_plan(campaign, {cuda, hip}, estimates);
  EXPECT_EQ(text_of(plan), R"(nightly: 4 shards on 2 partitions, about 80 min of device time

  partition  backend     boards  shards  longest  limit   device time
  h200       cuda sm_90  2       3       44 min   60 min  79 min
  mi300      hip gfx942  1       1       1 min    2.0 d   1 min

  shard  partition  time    rounds    boards       time from
  0001   h200       44 min  1-4 of 7  softmax/f32  20250131T134500Z-0001
  0002   h200       34 min  5-7 of 7  softmax/f32  20250131T134500Z-0001
  0003   h200       2 min   7         sum/f32      default
  0004   mi300      1 min   7         sum/f32      default

cannot run:
  mi300: softmax/f16, softmax/bf16: contestant online needs miopen, which was not found
)");
}

TEST(Plan, TheSameCampaignGivesTheSamePlan) {
  Campaign campaign = campaign_on({a_partition("h200", "cuda", "sm_90", 1200)});
  Offer offer{.partition = &campaign.partitions.front()};
  for (int i = 0; i < 40; ++i) offer.candidates.push_back(candidate(fmt::format("p{}", i), 3 + i % 7));
  const Folder first, second;
  const auto text_in = [&](const std::filesystem::path& folder) {
    write_plan(folder, make_plan(campaign, {offer}, {}));
    std::ifstream file(folder / "plan.json");
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string text = text_in(first.path() / "a");
  EXPECT_EQ(text, text_in(second.path() / "b"));
  EXPECT_GT(text.size(), 1000U);
}

TEST(Plan, IsReadAsItWasWritten) {
  const Folder folder;
  Campaign campaign = campaign_on({a_partition("h200", "cuda", "sm_90")});
  Partition& full = campaign.partitions.front();
  full.gres = "gpu:h200:1";
  full.constraint = "h200";
  full.account = "a";
  full.qos = "q";
  full.modules = {"cuda/13.0"};
  full.pyxis = "image.sqsh";
  full.scratch = "/scratch";
  full.setup = {"export A=1"};
  full.sbatch = {"--exclude=n17"};
  full.shared_cache = "/shared/cache";
  full.problems = {"sum"};
  const Plan plan = make_plan(campaign, {Offer{.partition = &full, .candidates = {candidate("sum", 3)}}}, {});
  write_plan(folder.path(), plan);
  const Plan read = read_plan(folder.path());
  write_plan(folder.path() / "again", read);
  const auto text_in = [](const std::filesystem::path& file) {
    std::ifstream stream(file);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  EXPECT_EQ(text_in(folder.path() / "plan.json"), text_in(folder.path() / "again/plan.json"));
  EXPECT_EQ(read.partitions.front().sbatch, full.sbatch);
  EXPECT_EQ(partition_of(read, read.shards.front()).qos, "q");
  EXPECT_EQ(shard_named(read, "0001").boards, plan.shards.front().boards);
  EXPECT_THAT(refusal([&] { shard_named(read, "0009"); }),
              HasSubstr("found \"0009\", expected one of 0001 to 0001"));
}

TEST(Plan, MistakesInItsFilesAreOneSentence) {
  const Folder folder;
  const auto with = [&](const std::string& text) {
    record::write_file(folder.path() / "plan.json", text);
    return refusal([&] { read_plan(folder.path()); });
  };
  EXPECT_THAT(refusal([&] { read_plan(folder.path() / "nowhere"); }),
              HasSubstr("plan.json: cannot be read; expected a campaign's folder"));
  EXPECT_THAT(with("{"), HasSubstr("found text that is not JSON"));
  EXPECT_THAT(with("[]"), HasSubstr("found array, expected an object"));
  EXPECT_THAT(with("{}"), HasSubstr("'podium_plan' is missing"));
  EXPECT_THAT(with(R"({"podium_plan": 9})"), HasSubstr("podium_plan: found 9, expected 1"));
  EXPECT_THAT(with(R"({"podium_plan": 1, "campaign": "c", "partitions": {}})"),
              HasSubstr("'shards' is missing"));
  EXPECT_THAT(with(R"({"podium_plan": 1, "campaign": "c", "shards": [], "partitions": {"a": {}}})"),
              HasSubstr("partitions.a: field 'partition' is missing"));
  EXPECT_THAT(with(R"({"podium_plan": 1, "campaign": "c", "partitions": {}, "shards":
                      [{"id": "1", "partition": "x", "backend": "cuda", "boards": [], "rounds": 1, "arguments": []}]})"),
              HasSubstr("shard 1: partition: found \"x\""));
  write_state(folder.path(), "0001", {.standing = Standing::failed, .why = "no space left"});
  EXPECT_EQ(read_state(folder.path(), "0001").why, "no space left");
  EXPECT_EQ(read_state(folder.path(), "0002").standing, Standing::waiting);
  record::write_file(folder.path() / "shards/0001/state.json", R"({"state": "dnoe"})");
  EXPECT_THAT(refusal([&] { read_state(folder.path(), "0001"); }),
              HasSubstr("state: found \"dnoe\", expected one of waiting, running, done, failed, cancelled"));
}

}  // namespace
}  // namespace podium::cluster
