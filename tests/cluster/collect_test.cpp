// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What shards measured becomes one set of results: rounds pool, nothing is lost, types of devices stay apart.
#include "suite/cluster/collect.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "suite/base/file_text.hpp"
#include "suite/report/mix.hpp"
#include "suite/report/render.hpp"
#include "suite/report/table.hpp"
#include "tests/cluster/simulated.hpp"
#include "tests/refusal.hpp"

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// `shards` shards of the board sum/f32, `rounds` rounds each.
Plan plan_of(int shards, int rounds, const std::string& backend = "cuda", const std::string& name = "h200") {
  Plan plan{.campaign = "nightly", .rounds = shards * rounds};
  plan.partitions.push_back(a_partition(name, backend, ""));
  for (int i = 0; i < shards; ++i)
    plan.shards.push_back({.id = fmt::format("{:04}", i + 1),
                           .partition = name,
                           .backend = backend,
                           .boards = {{"sum", "f32"}},
                           .first_round = i * rounds,
                           .rounds = rounds});
  return plan;
}

Measured on(int node) { return {.node = fmt::format("n{}", node), .device = fmt::format("GPU-{}", node)}; }

report::BoardReport board_of(const fs::path& run) {
  const report::Report report = report::report_of(record::read(run));
  EXPECT_EQ(report.boards.size(), 1U);
  return report.boards.front();
}

std::vector<int> ranks_of(const report::BoardReport& board) {
  std::vector<int> ranks;
  for (const auto& row : board.rows) ranks.push_back(row.rank);
  return ranks;
}

std::string all_text(const fs::path& folder) {
  std::string text;
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files.insert(entry.path());
  for (const fs::path& file : files) text += file.string() + "\n" + podium::text_of(file);
  return text;
}

TEST(Collect, RoundsOfSeveralDevicesPoolIntoOneTable) {
  const Folder folder;
  const Plan plan = plan_of(4, 2);
  // The second device is 3 % slower: within a round that cancels.
  for (std::size_t i = 0; i < 4; ++i) {
    Measured how = on(static_cast<int>(i));
    if (i == 1) how.slowdown = 1.03;
    measure(folder.path(), plan.shards[i], how);
  }
  const Collection all = collect(folder.path(), plan, {});
  EXPECT_THAT(all.missing, IsEmpty());
  EXPECT_THAT(all.unreadable, IsEmpty());
  ASSERT_THAT(all.runs, SizeIs(1));
  const report::BoardReport board = board_of(all.runs.front());
  EXPECT_EQ(board.rounds, 8);
  EXPECT_EQ(board.planned_rounds, 8);
  EXPECT_EQ(board.devices, 4);
  ASSERT_EQ(board.rows.size(), 3U);
  EXPECT_THAT(ranks_of(board), ElementsAre(1, 2, 3));
  EXPECT_NEAR(*board.rows[0].score, 1.2, 0.005);
  for (const report::Row& row : board.rows) {
    EXPECT_LT(*row.within_device, 0.3);
    EXPECT_NEAR(*row.between_devices, 1.5, 0.4);  // of 0, 0, 0 and 3 %
  }
  EXPECT_THAT(report::footnotes(board),
              Contains(HasSubstr("rounds of 4 devices; a row's time scatters by 0.0")));
}

// A campaign that was not split gives the tables of one machine.
TEST(Collect, OneShardIsReportedAsItsOwnRun) {
  const Folder folder;
  const Plan plan = plan_of(1, 7);
  measure(folder.path(), plan.shards[0], on(1));
  const Collection all = collect(folder.path(), plan, {});
  ASSERT_THAT(all.runs, SizeIs(1));
  const auto own = board_of(shard_folder(folder.path(), "0001") / "run"), merged = board_of(all.runs.front());
  EXPECT_EQ(own.delta, merged.delta);
  ASSERT_EQ(own.rows.size(), merged.rows.size());
  for (std::size_t i = 0; i < own.rows.size(); ++i) {
    EXPECT_EQ(own.rows[i].contestant, merged.rows[i].contestant);
    EXPECT_EQ(own.rows[i].rank, merged.rows[i].rank);
    EXPECT_EQ(own.rows[i].score, merged.rows[i].score);
    EXPECT_EQ(own.rows[i].time_low, merged.rows[i].time_low);
    EXPECT_EQ(own.rows[i].sol, merged.rows[i].sol);
  }
  EXPECT_TRUE(fs::exists(all.runs.front() / "sources" / record::sha256("text")));
}

TEST(Collect, WhileShardsRunItTakesWholeLinesAndWholeRounds) {
  const Folder folder;
  const Plan plan = plan_of(3, 5);
  Measured running = on(1);
  running.standing = Standing::running;
  running.rounds = 3;
  running.cut = true;
  measure(folder.path(), plan.shards[0], running);
  measure(folder.path(), plan.shards[1], on(2));
  const Collection part = collect(folder.path(), plan, {});
  ASSERT_THAT(part.runs, SizeIs(1));
  EXPECT_THAT(part.unreadable, IsEmpty());
  // The incomplete round of the first shard does not hide those of the second.
  EXPECT_EQ(board_of(part.runs.front()).rounds, 8);
  ASSERT_THAT(part.missing, SizeIs(2));
  EXPECT_EQ(part.missing[0].why, "running on n1; there are 3 of 5 rounds of sum/f32");
  EXPECT_EQ(part.missing[1].why, "waiting; there are 0 of 5 rounds of sum/f32");
  EXPECT_EQ(board_of(part.runs.front()).planned_rounds, 15);
  EXPECT_EQ(record::read_provenance(part.runs.front()).at("ended"), "collected before 0001, 0003 were done");
  // Later the rest is there.
  measure(folder.path(), plan.shards[0], on(1));
  measure(folder.path(), plan.shards[2], on(3));
  const Collection all = collect(folder.path(), plan, {});
  EXPECT_EQ(all.runs, part.runs);
  EXPECT_THAT(all.missing, IsEmpty());
  EXPECT_EQ(board_of(all.runs.front()).rounds, 15);
}

TEST(Collect, ASecondTimeChangesNothing) {
  const Folder folder;
  const Plan plan = plan_of(3, 3);
  for (std::size_t i = 0; i < 3; ++i) measure(folder.path(), plan.shards[i], on(static_cast<int>(i)));
  collect(folder.path(), plan, {});
  const std::string first = all_text(folder.path());
  collect(folder.path(), plan, {});
  EXPECT_EQ(all_text(folder.path()), first);
}

TEST(Collect, WhatWasCollectedIsNotLost) {
  const Folder folder;
  const Plan plan = plan_of(2, 4);
  for (std::size_t i = 0; i < 2; ++i) measure(folder.path(), plan.shards[i], on(static_cast<int>(i)));
  const Collection before = collect(folder.path(), plan, {});
  const auto board = board_of(before.runs.front());
  // The first shard's folder is gone, the second was begun anew and has less.
  fs::remove_all(shard_folder(folder.path(), "0001") / "run");
  Measured again = on(7);
  again.rounds = 1;
  again.standing = Standing::running;
  again.started = "2025-02-01T00:00:00Z";
  measure(folder.path(), plan.shards[1], again);
  for (int repeat = 0; repeat < 2; ++repeat) {
    const Collection after = collect(folder.path(), plan, {});
    EXPECT_EQ(after.runs, before.runs);
    EXPECT_THAT(after.notes, ElementsAre(HasSubstr("shard 0002: its run holds less than was collected")));
    const auto now = board_of(after.runs.front());
    EXPECT_EQ(now.rounds, 8);
    ASSERT_EQ(now.rows.size(), board.rows.size());
    for (std::size_t i = 0; i < now.rows.size(); ++i) EXPECT_EQ(now.rows[i].score, board.rows[i].score);
  }
  const auto provenance = record::provenance_from(record::read_provenance(before.runs.front()));
  ASSERT_THAT(provenance.segments, SizeIs(2));
  EXPECT_EQ(provenance.segments[1].device, "GPU-1");
}

// NVIDIA and AMD in one campaign, and two types behind one partition.
TEST(Collect, RanksNeverMixTypesOfDevices) {
  const Folder folder;
  Plan plan = plan_of(3, 7);
  Plan amd = plan_of(1, 7, "hip", "mi300");
  amd.shards[0].id = "0004";
  plan.partitions.push_back(amd.partitions[0]);
  plan.shards.push_back(amd.shards[0]);
  Measured other = on(3);
  other.product = "NVIDIA H100";
  measure(folder.path(), plan.shards[0], on(1));
  measure(folder.path(), plan.shards[1], on(2));
  measure(folder.path(), plan.shards[2], other);
  Measured mi300 = on(4);
  mi300.product = "AMD Instinct MI300X";
  measure(folder.path(), plan.shards[3], mi300);
  const Collection all = collect(folder.path(), plan, {});
  ASSERT_THAT(all.runs, SizeIs(3));
  EXPECT_THAT(all.notes,
              ElementsAre(HasSubstr("shard 0003 is of another type of device than shard 0001: their")));
  std::vector<record::Run> runs;
  for (const auto& run : all.runs) runs.push_back(record::read(run));
  std::vector<report::MixedRun> mixed;
  for (const auto& run : runs) mixed.push_back({.name = run.folder.filename().string(), .run = &run});
  const report::Mixture mixture = report::mix(mixed);
  ASSERT_THAT(mixture.reports, SizeIs(3));
  std::set<std::string> devices;
  for (const auto& mix : mixture.reports) {
    devices.insert(record::slug(mix.report.provenance.device));
    ASSERT_THAT(mix.report.boards, SizeIs(1));
    std::set<std::string> rows;
    for (const auto& row : mix.report.boards[0].rows) EXPECT_TRUE(rows.insert(row.contestant).second);
    EXPECT_EQ(mix.report.boards[0].rounds, mix.report.provenance.device.product == "NVIDIA H200" ? 14 : 7);
  }
  EXPECT_THAT(devices, SizeIs(3));
}

TEST(Collect, AnotherDriverIsATableOfItsOwn) {
  const Folder folder;
  const Plan plan = plan_of(2, 7);
  Measured other = on(2);
  other.driver = "575";
  measure(folder.path(), plan.shards[0], on(1));
  measure(folder.path(), plan.shards[1], other);
  const Collection all = collect(folder.path(), plan, {});
  EXPECT_THAT(all.runs, SizeIs(2));
  EXPECT_THAT(all.notes,
              ElementsAre(HasSubstr("shard 0002 has driver 575 and not 580 as shard 0001: their")));
}

// It failed on one device: it takes no part in rounds of any.
TEST(Collect, AFailureOnOneDeviceCountsForTheTable) {
  const Folder folder;
  const Plan plan = plan_of(2, 4);
  Measured failing = on(1);
  failing.failing = "contestant_002";
  measure(folder.path(), plan.shards[0], failing);
  measure(folder.path(), plan.shards[1], on(2));
  const Collection all = collect(folder.path(), plan, {});
  EXPECT_THAT(all.missing, IsEmpty());
  const auto board = board_of(all.runs.front());
  EXPECT_EQ(board.rounds, 8);
  ASSERT_EQ(board.rows.size(), 3U);
  EXPECT_EQ(board.rows[2].contestant, "contestant_002");
  EXPECT_EQ(board.rows[2].standing, report::Standing::failed);
}

// A shard that was preempted goes on elsewhere: each segment is of the device that measured it.
TEST(Collect, SegmentsKnowTheirDevices) {
  const Folder folder;
  const Plan plan = plan_of(1, 7);
  measure(folder.path(), plan.shards[0], on(1));
  const fs::path file = shard_folder(folder.path(), "0001") / "run" / "run.json";
  auto provenance = record::provenance_from(record::read_provenance(file.parent_path()));
  provenance.segments = {{.started = "2025-01-31T13:45:00Z"}, {.started = "2025-01-31T15:00:05Z"}};
  record::write_file(file, record::to_json(provenance).dump());
  State state = read_state(folder.path(), "0001");
  state.visits.push_back({.node = "n9", .device = "GPU-9", .started = "2025-01-31T15:00:00Z"});
  write_state(folder.path(), "0001", state);
  const Collection all = collect(folder.path(), plan, {{{"n9", "GPU-9"}, "n9 is slow"}});
  const auto merged = record::provenance_from(record::read_provenance(all.runs.front()));
  ASSERT_THAT(merged.segments, SizeIs(2));
  EXPECT_EQ(merged.segments[0].node, "n1");
  EXPECT_EQ(merged.segments[0].sick, "");
  EXPECT_EQ(merged.segments[1].node, "n9");
  EXPECT_EQ(merged.segments[1].sick, "n9 is slow");
}

TEST(Collect, BoardsOfASickDeviceAreMarked) {
  const Folder folder;
  const Plan plan = plan_of(2, 4);
  for (std::size_t i = 0; i < 2; ++i) measure(folder.path(), plan.shards[i], on(static_cast<int>(i)));
  const Collection all = collect(folder.path(), plan, {{{"n1", "GPU-1"}, "n1 GPU-1 takes 5 % longer"}});
  const auto board = board_of(all.runs.front());
  EXPECT_THAT(board.sick, ElementsAre("n1 GPU-1 takes 5 % longer"));
  EXPECT_THAT(report::footnotes(board), Contains("measured on a sick device: n1 GPU-1 takes 5 % longer"));
}

TEST(Collect, ADamagedShardIsNamedAndTheOthersAreCollected) {
  const Folder folder;
  Plan plan = plan_of(2, 7);
  plan.shards[1].boards = {{"sort", "f32"}};
  for (std::size_t i = 0; i < 2; ++i) measure(folder.path(), plan.shards[i], on(static_cast<int>(i)));
  const fs::path entries = shard_folder(folder.path(), "0001") / "run" / "entries.jsonl";
  record::write_file(entries, "not JSON\n" + podium::text_of(entries));
  const Collection all = collect(folder.path(), plan, {});
  EXPECT_THAT(all.unreadable, ElementsAre(HasSubstr("entries.jsonl:1: found a line that is no entry")));
  EXPECT_THAT(all.runs, SizeIs(1));
}

}  // namespace
}  // namespace podium::cluster
