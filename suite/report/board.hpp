// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A run's entries as ranked boards: one for each problem, choice of types and stage. No layout.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suite/measure/least_time.hpp"
#include "suite/measure/samples.hpp"
#include "suite/rank/wins.hpp"
#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"
#include "suite/report/conditions.hpp"

namespace podium::report {

// A contestant on one workload: the median of its rounds' medians with its distribution-free interval.
struct Timing {
  int rounds = 0;          // 0: not timed
  measure::Median median;  // microseconds
  std::optional<double> gb_per_s, tflop_per_s;
  std::optional<double> sol_raw;  // least time by the measured ceilings over the median: measure/ceiling.hpp
  bool arithmetic = false;        // the ceiling is that of the calibrated arithmetic
  bool weighed = false;           // there would be none without that
  std::optional<double> sol() const;                // the same, at most 1
  std::string declined;                             // why it does not run this workload; empty: it does
  record::ByMetric<std::optional<double>> metrics;  // never ranked; medians of the rounds that have it
  record::ByMetric<std::string> unmeasured;         // why there is none, if there is a reason
  Conditions conditions;
};

// Seconds that a call's work takes at the device's measured rates, on a board of these types; 0 where they
// do not tell.
double speed_of_light(const std::string& types, const measure::Work& work,
                      const record::Provenance& provenance);

enum class Standing {
  ranked,
  unranked,  // timed, but not on every workload in every round
  emulated,  // verified on the CPU in place of its GPU: never timed
  verified,  // right so far; not timed
  failed,
  declined,  // not supported here, or a library is missing
};
std::string_view name_of(Standing standing);

struct Row {
  std::string contestant, title, author, kind, tier;
  bool baseline = false;
  Standing standing = Standing::verified;
  record::RecordedVerdict verdict;  // what failed, or why it is declined or unranked
  std::string text;
  int rank = 0, last = 0;  // of ranked rows; rank..last is the span
  std::vector<std::string> undecided;
  std::optional<double> score, score_low, score_high;  // speed-up over the baseline
  // Geometric means over workloads, where every one of them has the number.
  std::optional<double> time, gb_per_s, tflop_per_s;  // time in microseconds
  std::optional<double> sol, sol_raw;                 // shares of the speed of light: Timing
  std::optional<double> time_low, time_high;          // its 95 % interval over rounds
  // Of a board whose rounds were measured on known devices: standard deviations of a round's time, percent.
  std::optional<double> within_device, between_devices;
  record::ByMetric<std::optional<double>> metrics;
  double worst = 0;             // largest error over its limit
  double exact = -1;            // largest error against fp64, of the largest magnitude; negative: not known
  record::Checked checked;      // by the judge, in all its entries
  bool blocking = false;        // its time includes launch latency
  bool throttled = false;       // the device did not hold its clock
  bool judged = false;          // a round's times are by the judge's clock
  std::vector<Timing> timings;  // by workload of the board
  std::vector<std::string> declined_tests;  // test workloads that it does not run: nothing is verified there
  rank::Wins wins;                          // over the baseline; of it, none
};

// How many entries had samples that were not independent, or that rose or fell in time (each at 1 %).
struct Unsteady {
  int entries = 0;  // with samples enough to tell
  int dependent = 0, trending = 0;
};

// What the canaries before its entries say of a board.
struct Canary {
  int entries = 0;    // with a canary
  int put_off = 0;    // began after a rest since the device was disturbed
  int disturbed = 0;  // measured on a disturbed device nevertheless
  int recovered = 0;  // where the disturbance stopped when parked workers were ended
};

struct BoardReport {
  std::string problem, title, types;
  std::string stage;   // "bench", "quick"; "test": verification only
  int series = 0;      // of the run: record::Entry::series
  std::string run;     // in a report of several: the name of its folder; else empty
  bool apart = false;  // one of several tables of this board, whose rounds were not measured together
  bool counts = true;  // in the table of all problems; its baseline is the one of the newest table
  std::map<std::string, int> set_aside;  // entries on record that do not count, by reason
  std::string baseline;                  // empty: none
  bool baseline_timed = false, twin_timed = false;
  std::vector<std::string> workloads;
  std::vector<std::string> verified_on;  // stages of the workloads that were verified
  int rounds = 0;                        // complete ones: the ranking's
  int devices = 0;                       // on which these were measured; 0: not known
  std::vector<std::string> sick;         // of these devices, why they are held to be sick
  int planned_rounds = 0;                // 0: not known
  // When the device's calibration was made that the ceilings are of, since the run knew none; else empty.
  std::string calibrated;
  double delta = 0;                  // smallest log-ratio that counts
  std::optional<double> empty_call;  // microseconds that a call which does nothing takes; part of every time
  Unsteady unsteady;
  Canary canary;
  std::vector<std::string> excused;  // contestants that failed beside parked workers, and were right alone
  Conditions conditions;             // of all its entries
  std::vector<Row> rows;             // ranked, unranked, emulated, verified, failed, declined
};

// Whether the row's rank counts: the board has rounds enough to tell rows apart.
bool has_rank(const Row& row, const BoardReport& board);

// A contestant of one name over all boards that it enters, but those whose baseline it is.
struct Overall {
  std::string contestant;
  int boards = 0, problems = 0;
  rank::Wins wins;
};

// One of the runs of a report.
struct Part {
  std::string run;  // name of its folder
  record::Provenance provenance;
};

struct Report {
  record::Provenance provenance;  // of several runs: of the newest
  std::vector<Part> parts{};      // of several runs: those with a table, newest first
  record::Checked checked{};      // by the judge, in all entries
  std::vector<BoardReport> boards;
  std::vector<Overall> overall;  // by share won, then name
};

// By share won, then name. A contestant counts once a board: in the first table that counts.
std::vector<Overall> overall_of(const std::vector<BoardReport>& boards);

// Of the run that a board was measured in.
const record::Provenance& provenance_of(const Report& report, const BoardReport& board);

// Throws podium::Error if provenance cannot be read.
Report report_of(const record::Run& run);

}  // namespace podium::report
