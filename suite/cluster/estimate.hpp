// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How long boards take, from earlier runs of the same board on a device of the same backend and architecture.
#pragma once
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "suite/cluster/plan.hpp"
#include "suite/record/provenance.hpp"

namespace podium::cluster {

// What stands in for what is not known.
inline constexpr double seconds_of_entry = 0.15;  // one contestant on one workload in one round
inline constexpr double seconds_of_build = 5;     // of a contestant; no cache may have it
inline constexpr double seconds_of_start = 60;    // of a shard: modules, container, judge, common contestant
inline constexpr const char* by_default = "default";

// A board on a partition, and who takes part.
struct Candidate {
  Board board;
  std::string level;                     // "quick", "bench"
  std::vector<std::string> contestants;  // all of them
  std::vector<std::string> named;        // as `podium run` is asked for them; empty: all
  int tests = 0, workloads = 0;          // verified, timed
};

// Seconds: those of verification, and of each round.
struct Estimate {
  double verification = 0, round = 0;
  std::string from;  // name of a run, or by_default

  double of(int rounds) const { return verification + rounds * round; }
};

class Estimates {
 public:
  // Of a finished run, of which newer ones come first: what is known of a board already stays.
  void add(const std::string& name, const record::Provenance& provenance);
  // Without building and starting.
  Estimate of(const Partition& partition, const Candidate& candidate) const;

 private:
  struct Known {
    Estimate estimate;  // of all its contestants
    std::string architecture;
    std::size_t contestants = 0;
  };
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::vector<Known>>
      known_;  // by backend, problem, types, stage
};

// Reads the runs below `folders`, results/<device>/<run>, the newest first. Only run.json of each is read;
// what cannot be read is left out. A folder that is not there has none.
Estimates estimates_from(const std::vector<std::filesystem::path>& folders);

}  // namespace podium::cluster
