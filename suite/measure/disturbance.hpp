// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whether a device is disturbed, or its clock has fallen. Canaries are times of a trusted piece of work
// before each entry, held against each other. Plain numbers in, plain numbers out.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace podium::measure {

// How much slower than the median a canary may be. Beside a GPU it is a copy that the judge times by events;
// on the CPU a loop on every thread, which anything that runs beside it delays.
inline constexpr double canary_slack_gpu = 0.10;
inline constexpr double canary_slack_host = 0.25;
double canary_slack(bool gpu);

// The canaries of one board, as they come.
class Canaries {
 public:
  explicit Canaries(double slack) : slack_(slack) {}
  void add(double microseconds);
  // Slower than the median of those added by more than the slack. Never before enough are known.
  bool disturbed(double microseconds) const;
  static constexpr std::size_t enough = 5;

 private:
  double slack_;
  std::vector<double> known_;  // in ascending order
};

// What a board's canaries say when it is finished: one of each entry, the last that was timed before it.
struct Disturbance {
  int entries = 0;    // that have a canary
  int disturbed = 0;  // whose canary is slower than the median of all by more than the slack
};
Disturbance disturbance(std::span<const double> canaries, double slack);

// Of a sample: the slower of the clocks measured just before and just after it, in MHz; of one that is not
// known (0) the other; 0 if neither is.
double sample_clock(double before, double after);

// The clock that a device holds while it is warm and has little to do: the median of the known ones among
// `clocks`, those of the empty contestant's samples, in MHz; 0 if none is known. The clock that its maker
// states would be wrong wherever somebody has set another, and the highest seen may be that of a moment.
double reference_clock(std::span<const double> clocks);

struct ThrottleRule {
  // Of the reference clock: what nvbench throws away below, by default, of the clock its device states.
  double least = 0.75;
  double rest = 0.05;  // seconds before a sample is taken again; nvbench's default, too
  int in_a_row = 3;    // discarded samples after which the entry's are taken as they come
  int most = 10;       // discarded samples of an entry
};

// Decides of each sample of one entry, in their order, whether it counts.
class Throttle {
 public:
  // `reference`: MHz; 0: not known, and every sample counts.
  explicit Throttle(double reference, const ThrottleRule& rule = {}) : reference_(reference), rule_(rule) {}

  // False: discard it, rest, take another. `clock`: of the sample, MHz; 0: not known, it counts.
  bool admits(double clock);

  // MHz below which a known clock does not count now; 0: every sample counts.
  double least_clock() const { return given_up_ ? 0 : rule_.least * reference_; }

  int discarded() const { return discarded_; }
  int slow() const {
    return slow_;
  }  // that count although their clock had fallen: the device did not hold it
  double rest() const { return rule_.rest; }

 private:
  double reference_;
  ThrottleRule rule_;
  int discarded_ = 0, in_a_row_ = 0, slow_ = 0;
  bool given_up_ = false;
};

}  // namespace podium::measure
