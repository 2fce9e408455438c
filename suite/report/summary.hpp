// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The page at the end of a run: who won where, what failed, where results lie, what to try next.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "suite/report/board.hpp"
#include "suite/report/render.hpp"
#include "suite/report/table.hpp"

namespace podium::report {

struct NextStep {
  std::string command, what;
};

struct Failed {
  std::string board, contestant, reason;
};

// The parts that pages at the end of a run and of a verification share.
void put_failed(std::string& out, const std::vector<Failed>& failed, const Style& style);
void put_next(std::string& out, const std::vector<NextStep>& next, const Style& style);

// Problem, types, winner, its speed-up over the baseline, its % SOL.
Table winner_table(const Report& report);

// `place`: where results lie.
std::string summary(const Report& report, const std::string& place, const std::vector<NextStep>& next,
                    const Style& style);

}  // namespace podium::report
