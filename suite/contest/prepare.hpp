// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What an emulated device wants to be done with code before it runs: translation, which takes seconds that no
// judge or contestant should be given.
#pragma once
#include <functional>
#include <span>

#include "suite/contest/board_plan.hpp"
#include "suite/contest/session.hpp"

namespace podium::contest {

// Runs `executables.prepare`, if there is one, on the judge's programs and plugins of `boards`, several at a
// time. What cannot be prepared is left: whoever uses it is told why. `progress` gets what is done, and how
// much there is.
void prepare(std::span<const BoardPlan> boards, const Executables& executables,
             const std::function<void(int, int)>& progress);

}  // namespace podium::contest
