// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// From the medians of rounds to ranks with ties. Plain numbers in, plain numbers out.
#pragma once
#include <limits>
#include <string>
#include <vector>

namespace podium::rank {

inline constexpr double missing = std::numeric_limits<double>::quiet_NaN();
inline constexpr double confidence = 0.95;  // of score intervals, of delta, and of all pairs together
inline constexpr int least_rounds = 7;      // below it nobody is ranked apart
inline constexpr double least_delta = 0.001998002662673056;  // log(1.002)
// log(1.01), where no pair has shown that less can be told apart.
inline constexpr double delta_without_twin = 0.009950330853168092;

// times[workload][round], microseconds; `missing` where a workload was not finished.
struct Candidate {
  std::string name;
  std::vector<std::vector<double>> times;
};

struct Row {
  std::string name;
  bool scored = false;  // finished every workload in every round
  double score =
      missing;  // geometric mean over workloads of the speed-up over the baseline, if that is scored
  double score_low = missing, score_high = missing;  // Student interval over rounds; missing with one round
  int rank = 0;                                      // 1 + number that beat it; 0 if not scored
  int last = 0;  // span: number of scored rows it does not beat (itself included); rank..last
  std::vector<std::string> undecided;  // rows from which it is neither separated nor shown equal
};

struct Ranking {
  double delta = 0;  // smallest log-ratio that counts: from the baseline and its twin, at least least_delta
  std::vector<Row> rows;  // by rank, then score; unscored last
};

// Pairs: per round the mean over workloads of log(t_a / t_b); Student interval over rounds, Holm-adjusted
// over all pairs; a beats b if the interval lies wholly beyond delta. `baseline` and `twin` are names in
// `candidates` (the same contestant measured twice); the twin is ranked no further. If one of the two is
// unfinished, or there is no twin, delta is delta_without_twin. Works with fewer than 7 rounds, but then
// ranks nobody apart: every scored row has rank 1. Throws std::invalid_argument if baseline is absent, shapes
// differ, or a time is infinite, zero or negative.
Ranking rank(const std::vector<Candidate>& candidates, const std::string& baseline, const std::string& twin);

}  // namespace podium::rank
