// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Campaigns whose shards were measured by nobody: folders as nodes leave them, read by the real code.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "suite/cluster/planning.hpp"
#include "suite/cluster/state.hpp"
#include "suite/record/record.hpp"

namespace podium::cluster {

// Removed with the test.
class Folder {
 public:
  Folder()
      : path_(std::filesystem::temp_directory_path() /
              fmt::format("podium-cluster-{}-{}", getpid(),
                          testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::vector<std::string> contestants_of(int count) {
  std::vector<std::string> names{"baseline"};
  for (int i = 1; i < count; ++i) names.push_back(fmt::format("contestant_{:03}", i));
  return names;
}

inline Candidate candidate(const std::string& problem, int contestants, const std::string& types = "f32") {
  return {.board = {problem, types},
          .level = "bench",
          .contestants = contestants_of(contestants),
          .tests = 2,
          .workloads = 2};
}

inline Partition a_partition(const std::string& name, const std::string& backend, const std::string& arch,
                             double time_limit = 4 * 3600) {
  return {.name = name, .partition = name, .backend = backend, .arch = arch, .time_limit = time_limit};
}

// How a shard was measured.
struct Measured {
  std::string node = "n1", device = "GPU-1", product = "NVIDIA H200", driver = "580";
  int rounds = -1;   // that are complete; negative: all
  bool cut = false;  // a last line that a kill cut short
  Standing standing = Standing::done;
  double slowdown = 1;   // of the device
  double noise = 0.001;  // of a round
  int samples = 3;
  std::string started = "2025-01-31T13:45:00Z";
  int contestants = 3;
  std::string failing;  // a contestant that is wrong in the first round
};

inline double time_of(const std::string& contestant) {
  return contestant == "baseline" ? 100 : 100 / (1 + 0.1 * std::stod(contestant.substr(11)));
}

inline record::Provenance provenance_of(const Shard& shard, const Measured& how) {
  const bool amd = how.product.starts_with("AMD");
  record::Provenance p{.podium = "0.1.0",
                       .commit = "0123456789ab",
                       .command = "podium run",
                       .started = how.started,
                       .device = {.backend = amd ? "hip" : "cuda",
                                  .product = how.product,
                                  .architecture = amd ? "gfx942" : "sm_90",
                                  .memory = std::int64_t{140} << 30},
                       .driver = how.driver,
                       .compilers = {{.backend = "cuda", .version = "nvcc 13.0", .flags = {}}},
                       .sandbox = {"uid", "seccomp"},
                       .order_seed = 7,
                       .rounds = shard.rounds,
                       .copy_bytes_per_second = 4e12,
                       .wall_seconds = 60};
  for (const Board& board : shard.boards) {
    record::BoardRecord& record = p.boards.emplace_back();
    record.problem = record.title = board.problem;
    record.types = board.types;
    record.stage = "bench";
    record.baseline = "baseline";
    record.sha256 = record::sha256(board.problem);
    record.workloads = {"n=1000", "n=2000"};
    record.contestants = contestants_of(how.contestants);
    record.seconds = 40;
    record.verification_seconds = 5;
    for (const std::string& name : contestants_of(how.contestants))
      p.contestants.push_back({.problem = board.problem,
                               .name = name,
                               .title = name,
                               .kind = "portable",
                               .tier = "native",
                               .file = name + ".gpu.cpp",
                               .sha256 = record::sha256(name)});
  }
  return p;
}

inline void measure(const std::filesystem::path& campaign, const Shard& shard, const Measured& how = {}) {
  const auto run = shard_folder(campaign, shard.id) / "run";
  std::filesystem::create_directories(run / "sources");
  std::ofstream(run / "sources" / record::sha256("text")) << "text";
  record::write_file(run / "run.json", record::to_json(provenance_of(shard, how)).dump(1) + "\n");
  std::mt19937_64 random(std::hash<std::string>()(shard.id));
  std::normal_distribution<double> normal;
  std::ofstream file(run / "entries.jsonl", std::ios::binary);
  const auto put = [&](record::Entry entry) {
    if (entry.verdict == Verdict::none) entry.verdict = Verdict::right;
    file << record::to_json(entry).dump() << "\n";
  };
  const auto rounds = how.rounds < 0 ? shard.rounds : how.rounds;
  for (const Board& board : shard.boards) {
    const record::Entry empty{.problem = board.problem, .types = board.types};
    for (const std::string& name : contestants_of(how.contestants)) {
      record::Entry test = empty;
      test.stage = "test";
      test.workload = "n=7";
      test.contestant = name;
      put(test);
    }
    const auto timed = [&](const std::string& name, bool twin, int round) {
      for (const char* workload : {"n=1000", "n=2000"}) {
        record::Entry entry = empty;
        entry.stage = "bench";
        entry.workload = workload;
        entry.contestant = name;
        entry.twin = twin;
        entry.round = round;
        const double time = time_of(name) * how.slowdown * std::exp(how.noise * normal(random));
        for (int k = 0; k < how.samples; ++k) {
          entry.microseconds.push_back(time);
          entry.judge_microseconds.push_back(time + 1);
          entry.clock_mhz.push_back(1980);
        }
        entry.median = {.value = time, .low = time, .high = time};
        entry.stopped = "narrow";
        if (name == how.failing && round == 0) {
          entry.verdict = Verdict::wrong;
          entry.text = "out[3]: 1, expected 2";
        }
        put(entry);
      }
    };
    for (int round = 0; round < rounds; ++round) {
      for (const std::string& name : contestants_of(how.contestants))
        if (name != how.failing || round == 0) timed(name, false, round);
      timed("baseline", true, round);
    }
    if (rounds < shard.rounds) timed("baseline", false, rounds);  // of a round that is not complete
  }
  if (how.cut) file << R"({"problem": "cut sho)";
  State state{.standing = how.standing};
  state.visits.push_back({.node = how.node, .device = how.device, .job = "1", .started = how.started});
  write_state(campaign, shard.id, state);
}

}  // namespace podium::cluster
