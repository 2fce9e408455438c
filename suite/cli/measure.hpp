// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The cost of verifying a workload: whether a sample is cheap enough, and if not, which reference causes it.
#pragma once
#include <cstdint>
#include <string>

#include "suite/problem/model/instance.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::cli {

inline constexpr double most_sample_microseconds = 50e3;  // fill and verification of one sample, on a GPU

// One workload on one board and device.
struct Measured {
  std::string board, stage, workload;
  protocol::Rehearsed sample{}, full{};
  bool fully = false;            // `full` was measured
  std::string why_not;           // if not: one clause
  int line = 1;                  // of the workload, in the file
  std::int64_t arena_bytes = 0;  // beside the judge's private memory
};

// A workload with the structure of an arbitrary round, if the problem has any. Costs differ little between
// rounds.
problem::Instance some_round(const problem::Problem& problem, const problem::Choice& choice,
                             const problem::Workload& workload);

// Bytes of device memory that a workload takes: the arena and the judge's private memory.
std::int64_t memory_of(const problem::Problem& problem, const problem::Instance& instance, bool full);
// Whether `bytes` may be taken on a device with `memory` bytes.
bool fits(std::int64_t bytes, std::int64_t memory);

// Microseconds of a full verification, estimated from the references' times on a sample. An upper bound,
// since the fixed part of a sample's cost is scaled, too.
double estimate_full(const protocol::Rehearsed& sample);

// "" if a sample costs at most most_sample_microseconds, else one sentence: file, line, reference, its
// elements and terms, what to do.
std::string too_expensive(const problem::Problem& problem, const Measured& measured,
                          const std::string& device);

}  // namespace podium::cli
