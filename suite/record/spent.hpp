// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where the wall time of a run went: "spent" in run.json; of a sample, what lies beside the call, its inputs,
// the flush and the checks.
#pragma once
#include <array>
#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <utility>

namespace podium::record {

// Microseconds of wall time.
struct Wait {
  double asking = 0;    // messages between podium and the judge, the sample's share
  double arming = 0;    // the worker is told, and answers that it has armed
  double stopping = 0;  // its threads come to stand still
  double waking = 0;    // from opening the gate to hearing *done*, without the call
  double own = 0;       // the judge's bookkeeping: seeds, addresses, signals, messages read
  bool flushed = true;  // after a flush code and stacks come from memory, too

  double sum() const { return asking + arming + stopping + waking + own; }
};

inline constexpr std::array<std::pair<std::string_view, double Wait::*>, 5> wait_parts{
    {{"asking", &Wait::asking},
     {"arming", &Wait::arming},
     {"stopping", &Wait::stopping},
     {"waking", &Wait::waking},
     {"own", &Wait::own}}};

// Of each part the median over those samples that were flushed, or that were not; all 0 if there are none.
// Medians do not add up: `median_wait` is that of the sums.
Wait median_parts(std::span<const Wait> waits, bool flushed);
double median_wait(std::span<const Wait> waits, bool flushed);

// Seconds of wall time.
struct Spent {
  double building = 0;    // contestants and judge's programs, compiled or found in the cache
  double copy_rate = 0;   // a board's, measured once
  double rehearsals = 0;  // the judge's work on each workload, before any contestant
  double starts = 0;      // of judges and workers, and their ends
  double warm_ups = 0;    // instances: made, called once with the gate open, destroyed
  double columns = 0;     // samples beside those that rank: hot, end to end, graphs, energy; all of each
  double calls = 0;       // timed calls, by the device's clock
  double fills = 0;       // inputs drawn and written, outputs poisoned, caches flushed
  double checks = 0;      // outputs copied and verified, guards and inputs compared
  double waits = 0;       // what is left of samples: messages, wake-ups, threads stopped and let go
  double canaries = 0;    // the device looked at before each entry
  double readings = 0;    // of clocks, temperature, power and energy
  double rests = 0;       // until a disturbed device, a fallen clock or a busy machine is looked at again
  std::int64_t samples = 0;
  // Of a sample's wait, in microseconds: medians over those before which caches were flushed, and over those
  // before which they were not. 0: not known.
  double wait = 0, wait_unflushed = 0;
  Wait parts, parts_unflushed;

  double sum() const;                     // of the seconds
  Spent& operator+=(const Spent& other);  // of the seconds and samples
};

nlohmann::json to_json(const Spent& spent);
// What is absent is 0. Throws podium::Error naming the field.
Spent spent_from(const nlohmann::json& json);

// Adds the seconds that it lived to `sum`, which outlives it.
class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum) {}
  ~Stopwatch() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& sum_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace podium::record
