// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A run's provenance: device, compilers, sandbox, boards and contestants.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>

#include "suite/compile/toolchain.hpp"
#include "suite/contest/plan.hpp"
#include "suite/contest/run.hpp"
#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"

namespace podium::cli {

record::DeviceKey key_of(const protocol::Opened& device);

// Of a backend, as they are recorded.
std::vector<record::Compiler> compilers_of(const compile::Toolchain& toolchain, const std::string& backend);

struct Circumstances {
  std::string command;  // record::command_line()
  std::chrono::sys_seconds started;
  protocol::Calibrated rates{};  // of memory, measured now; all 0: not measured
};
// Replaces the boards and contestants of `provenance` by those of the plan, with what is known of them so
// far.
void describe_boards(record::Provenance& provenance, const contest::Plan& plan,
                     const std::map<const contest::BoardPlan*, contest::Overheads>& overheads);
record::Provenance describe(const contest::Plan& plan, const contest::RunOptions& options,
                            const protocol::Opened& device, const compile::Toolchain& toolchain,
                            const Circumstances& circumstances);

// Keeps the texts that a board's entries rest on: the problem, contestants, and what these include.
void keep_sources(record::Writer& writer, const contest::BoardPlan& board);

// Adds the arithmetic rates of the device's calibration in `results`. A calibration that cannot be read, or
// of another driver, is reported on standard error and not used.
void add_calibration(record::Provenance& provenance, const std::filesystem::path& results);

}  // namespace podium::cli
