// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a run's record says of where, how and with what it was made.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>

#include "suite/compile/toolchain.hpp"
#include "suite/contest/plan.hpp"
#include "suite/contest/run.hpp"
#include "suite/record/provenance.hpp"

namespace podium::cli {

record::DeviceKey key_of(const protocol::Opened& device);

struct Circumstances {
  std::string command;  // record::command_line()
  std::chrono::sys_seconds started;
  protocol::Calibrated rates{};  // of memory, measured now; all 0: not measured
};
// Boards and contestants of the plan, as far as they are built and measured; what was there before is
// replaced.
void describe_boards(record::Provenance& provenance, const contest::Plan& plan,
                     const std::map<const contest::BoardPlan*, contest::Overheads>& overheads);
record::Provenance describe(const contest::Plan& plan, const contest::RunOptions& options,
                            const protocol::Opened& device, const compile::Toolchain& toolchain,
                            const Circumstances& circumstances);

// Adds the rates of arithmetic of the device's calibration under `results`. One of another driver, or that
// cannot be read, adds none, which standard error is told.
void add_calibration(record::Provenance& provenance, const std::filesystem::path& results);

}  // namespace podium::cli
