// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a problem's own work costs on a device: fills, references and comparisons of a workload, without a
// contestant.
#pragma once
#include <cstdint>

#include "suite/device/device.hpp"
#include "suite/judge/evaluator.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::judge {

// Fills `instance` and verifies whatever the outputs hold, `repeats` times and the best of each counts; then
// once more, waiting after each reference to time it. Times are by the judge's clock. Throws podium::Error if
// the problem itself is at fault, or the device has too little memory.
protocol::Rehearsed rehearse(device::Device& device, Evaluator& evaluator, const problem::Problem& problem,
                             const problem::Instance& instance, bool full, int repeats, std::uint64_t seed,
                             std::uint8_t poison);

}  // namespace podium::judge
