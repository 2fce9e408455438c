// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whether a device is calm while a board is measured, and what the judge's interval holds beside a call.
#pragma once
#include <optional>
#include <vector>

#include "suite/contest/context.hpp"
#include "suite/contest/overhead.hpp"
#include "suite/measure/disturbance.hpp"

namespace podium::contest {

class BoardMonitor {
 public:
  // `workload`: the one that the empty contestant runs on.
  BoardMonitor(Context& run, int workload) : run_(run), workload_(workload) {}

  // The first look at overhead and canaries, and at the device's memory on the first board.
  void begin();
  // The canary before an entry; a second, after a rest, if the device is disturbed; a third without parked
  // workers, if these can be to blame. Microseconds.
  std::vector<double> look();
  // Measures the overhead anew, for an entry that is doubted. False: the machine is busier than when the
  // board was calmest, after rests, too; what the calmest moment showed is in force again.
  bool becomes_calm(bool waits);

  // Of contestants that wait inside the call, or of the others.
  const measure::Overhead& overhead(bool waits) const { return waits ? now_->waiting : now_->usual; }
  const measure::Overhead& calmest(bool waits) const { return waits ? calmest_.waiting : calmest_.usual; }
  const std::optional<Overheads>& overheads() const { return now_; }  // in force; nothing before begin()

 private:
  void measure();

  Context& run_;
  int workload_;
  std::optional<Overheads> now_;
  Overheads calmest_;
  measure::Canaries canaries_{0};
};

}  // namespace podium::contest
