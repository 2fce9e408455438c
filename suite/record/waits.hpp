// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a sample costs beyond the call, its inputs, the flush and the checks.
#pragma once
#include <array>
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

}  // namespace podium::record
