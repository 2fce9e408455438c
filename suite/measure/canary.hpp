// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whether the device is disturbed: the times of a trusted piece of work before each entry, held against each
// other. Plain numbers in, plain numbers out.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace podium::measure {

// How much slower than the median a canary may be. Beside a GPU it is a copy that the judge times by events;
// on the CPU a loop on every thread, which anything that runs beside it delays.
inline constexpr double canary_slack_gpu = 0.10;
inline constexpr double canary_slack_host = 0.25;
double canary_slack(std::string_view backend);

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

}  // namespace podium::measure
