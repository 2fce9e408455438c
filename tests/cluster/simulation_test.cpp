// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A campaign of 1,000 nodes, 50 problems and 200 contestants: how much processor time and memory planning and
// collecting take. By default a twentieth of its nodes, with a twentieth of the limits.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <fstream>

#include "suite/cluster/collect.hpp"
#include "suite/cluster/sick.hpp"
#include "tests/cluster/simulated.hpp"
#include "tests/processor_time.hpp"
#include "tests/whole.hpp"

namespace podium::cluster {
namespace {

constexpr int problems = 50, contestants = 200;

double seconds() { return std::chrono::duration<double>(processor_time()).count(); }

// Of this process, in GiB: reset before, so that it is of what follows.
void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }
double peak() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (word == "VmHWM:") {
      double kib = 0;
      status >> kib;
      return kib / (1 << 20);
    }
  return -1;
}

TEST(Simulation, AThousandNodes) {
  const int nodes = test::whole() ? 1000 : 50;
  const Folder folder;
  Campaign campaign{.name = "large", .rounds = nodes / problems};
  campaign.partitions.push_back(a_partition("h200", "cuda", "sm_90", 2400));
  Offer offer{.partition = &campaign.partitions.front()};
  for (int i = 0; i < problems; ++i)
    offer.candidates.push_back(candidate(fmt::format("p{:02}", i), contestants));
  // A round of 200 contestants takes ten minutes: each shard has one.
  Estimates estimates;
  record::Provenance before = provenance_of({}, {});
  for (const Candidate& one : offer.candidates) {
    record::BoardRecord& board = before.boards.emplace_back();
    board.problem = one.board.problem;
    board.types = "f32";
    board.stage = "bench";
    board.contestants = one.contestants;
    board.seconds = 7 * 600;
    board.verification_seconds = 10;
  }
  before.rounds = 7;
  estimates.add("BEFORE", before);

  double start = seconds();
  write_plan(folder.path(), make_plan(campaign, {offer}, estimates));
  const Plan plan = read_plan(folder.path());
  const double planning = seconds() - start;
  ASSERT_EQ(plan.shards.size(), static_cast<std::size_t>(nodes));
  EXPECT_LT(planning, 5);

  start = seconds();
  NodeRecord sick;
  for (std::size_t i = 0; i < plan.shards.size(); ++i) {
    const Measured how{.node = fmt::format("n{}", i),
                       .device = fmt::format("GPU-{}", i),
                       .slowdown = i == 17 ? 1.02 : 1,
                       .samples = 12,
                       .contestants = contestants};
    measure(folder.path(), plan.shards[i], how);
    NodeRecord node{.node = how.node, .device = how.device, .key = provenance_of(plan.shards[i], how).device};
    Reading& reading = node.readings.emplace_back(Reading{.shard = plan.shards[i].id});
    std::mt19937_64 random(i);
    std::normal_distribution<double> normal;
    const double level = how.slowdown * std::exp(0.003 * normal(random));
    for (int k = 0; k < 11; ++k) reading.common.push_back(100 * level * std::exp(0.002 * normal(random)));
    add_readings(folder.path(), node);
  }
  const double generating = seconds() - start;

  reset_peak();
  start = seconds();
  const Health health = health_of(read_nodes(folder.path()).nodes);
  Sick marked;
  for (const SickDevice& one : health.sick) marked[{one.node, one.device}] = one.evidence();
  const Collection all = collect(folder.path(), plan, marked);
  const double collecting = seconds() - start, memory = peak();
  EXPECT_LT(collecting, 60.0 * nodes / 1000 + 5);
  EXPECT_LT(memory, 1);
  EXPECT_TRUE(all.missing.empty());
  EXPECT_TRUE(all.unreadable.empty());
  EXPECT_EQ(all.runs.size(), static_cast<std::size_t>(problems));
  if (test::whole()) {
    ASSERT_EQ(health.sick.size(), 1U);
    EXPECT_EQ(health.sick[0].node, "n17");
  }
  std::uintmax_t bytes = 0;
  for (const auto& run : all.runs) bytes += std::filesystem::file_size(run / "entries.jsonl");
  fmt::print(
      "{} nodes: planning {:.2f} s, collecting {:.2f} s of processor time for {} MiB in {:.2f} GiB of memory "
      "(made up in {:.1f} s)\n",
      nodes, planning, collecting, bytes >> 20, memory, generating);
}

}  // namespace
}  // namespace podium::cluster
