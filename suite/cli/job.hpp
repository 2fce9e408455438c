// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The part that `podium run` and `podium verify` share: opens the device, selects and builds contestants for
// it.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "suite/base/exit.hpp"
#include "suite/cli/devices.hpp"
#include "suite/cli/progress.hpp"
#include "suite/compile/toolchain.hpp"
#include "suite/contest/plan.hpp"
#include "suite/contest/run.hpp"

namespace podium::cli {

// The limit for constructors, just-in-time compilers and tuning: `asked`, or a default if `asked` is 0.
std::chrono::seconds setup_limit(int asked, std::chrono::seconds call);
constexpr const char* setup_timeout_help =
    "Seconds for loading a contestant, and for its constructor and warm-up call (120, or --timeout if "
    "larger)";

// Prints each fault to standard error; returns Exit::usage if there are any.
Exit report_faults(const std::vector<std::string>& faults);
// The exit status of a run that was not interrupted. If no contestant was verified, standard error says so:
// rows of contestants that do not run here are no success.
Exit exit_of(const std::vector<record::Entry>& entries);

class Job {
 public:
  // Opens `device` and reads the selection for its backend. Throws podium::Error.
  Job(const DeviceName& device, const contest::Selection& selection, const contest::RunOptions& options,
      contest::BoardRunner::Sink sink, Verbosity verbosity);

  // Builds the first boards, prints the plan to standard error, and returns the opened device.
  // Throws podium::Error if no judge's program compiles, workers cannot open the device, or
  // `require_sandbox` and they could open another GPU.
  protocol::Opened prepare(const std::string& what, bool require_sandbox = false);

  const contest::Plan& plan() const { return plan_; }
  contest::Plan& plan() { return plan_; }  // may be changed before run()
  // After prepare(), instead of run(): builds all boards and removes those that do not build.
  void build_all();
  contest::BoardRunner& runner() { return runner_; }
  const compile::Toolchain& toolchain() const { return toolchain_; }
  record::Spent spent() const;  // of wall time until now
  // Builds each board, calls `before`, runs it, and calls `after`. Prints faults of problems to standard
  // error, and returns false if there were any.
  bool run(const contest::BoardRunner::Step& before = {}, const contest::BoardRunner::Step& after = {});
  ProgressLine& line() { return line_; }

 private:
  DeviceName device_;
  bool in_sandbox_;
  contest::Plan plan_;
  compile::Toolchain toolchain_;
  ProgressLine line_;
  contest::Executables executables_;
  contest::BoardRunner runner_;
  void build_from(std::size_t first);
  void build_until(const contest::BoardPlan& board);

  compile::DeviceFacts facts_;
  std::string arch_;
  bool builds_first_ = true;  // nothing was built yet
  double building_ = 0;       // seconds
};

}  // namespace podium::cli
