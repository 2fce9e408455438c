// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What all boards of a run share.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "suite/contest/sessions.hpp"
#include "suite/measure/samples.hpp"

namespace podium::contest {

// One call to be made again, as a verdict named it, after as many others as there were before it.
struct Replay {
  std::uint64_t seed = 0;       // of the call
  std::uint64_t structure = 0;  // of its structure; 0: any
  int call = 0;                 // its index: competitor.hpp says what kind of call it was
};

struct RunOptions {
  int rounds = 7;  // 0: verification only
  measure::Stopping stopping;
  bool isolated = false;  // one worker at a time
  std::uint64_t order_seed = 0;
  int device = 0;
  std::string device_words;      // how the command line opens it: "--device cuda:0"
  std::string problems_words;    // how it names the folder of problems: " --problems DIR"; empty: the default
  bool columns = true;           // hot, graph and end-to-end times, too
  bool energy = false;           // of a call, too
  bool full = false;             // verification is of every element on workloads of all stages
  std::optional<Replay> replay;  // in place of verification
  Session::Limits limits;
};

struct Context {
  RunOptions options;
  Sessions sessions;
  std::mt19937_64 random;      // of the order, and of all that contestants must not foresee
  double reference_clock = 0;  // MHz: the highest that the device held for an empty contestant; 0: not known
  double copy_rate = 0;        // bytes of the device's memory a second; 0: not measured yet
};

inline double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace podium::contest
