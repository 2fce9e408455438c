// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A call that a verdict named, made again: its inputs, its place in memory, its structure and what of its
// outputs is verified, after as many calls with other inputs as the instance had before.
#pragma once
#include <optional>

#include "suite/contest/board_state.hpp"

namespace podium::contest {

// The call of the run's options, by a worker that has been started. Fills in the entry, or returns what
// failed.
std::optional<Failure> replay_call(Context& run, const BoardState& board, const Competitor& competitor,
                                   int workload, record::Entry& entry);

}  // namespace podium::contest
