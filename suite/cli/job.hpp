// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What `podium run` and `podium verify` share: the device opened, contestants chosen and built for it.
#pragma once
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "suite/cli/devices.hpp"
#include "suite/cli/progress.hpp"
#include "suite/compile/toolchain.hpp"
#include "suite/contest/plan.hpp"
#include "suite/contest/run.hpp"

namespace podium::cli {

// For constructors, just-in-time compilers and tuning: `asked` if that is not 0.
std::chrono::seconds setup_limit(int asked, std::chrono::seconds call);
constexpr const char* setup_timeout_help =
    "Seconds for loading a contestant, and for its constructor and warm-up call (120, or --timeout if "
    "larger)";

// Says on standard error what is wrong with problems; the exit status of that.
Exit report_faults(const std::vector<std::string>& faults);
// Of a run that ended by itself. Where no contestant was verified that is said on standard error: rows of
// those that do not run here are no success.
Exit exit_of(const std::vector<record::Entry>& entries);

class Job {
 public:
  // Opens `device`, reads the selection for its backend. Throws podium::Error.
  Job(const DeviceName& device, const contest::Selection& selection, const contest::RunOptions& options,
      contest::Runner::Sink sink, Verbosity verbosity);

  // Builds the first boards, says on standard error what is about to happen, and returns what was opened.
  // Throws podium::Error if no judge's program compiles, workers cannot open the device, or
  // `require_sandbox` and they could open another GPU.
  protocol::Opened prepare(const std::string& what, bool require_sandbox = false);

  const contest::Plan& plan() const { return plan_; }
  contest::Plan& plan() { return plan_; }  // before run(): what it holds is run
  // Behind prepare(), in place of run(): builds all boards and leaves out those that cannot be.
  void build_all();
  contest::Runner& runner() { return runner_; }
  const compile::Toolchain& toolchain() const { return toolchain_; }
  record::Spent spent() const;  // of wall time until now
  // All boards, each built before it runs; `after` follows each. Faults of problems are said on standard
  // error; false if there were any.
  bool run(const contest::Runner::Step& after = {});
  ProgressLine& line() { return line_; }

 private:
  DeviceName device_;
  bool in_sandbox_;
  contest::Plan plan_;
  compile::Toolchain toolchain_;
  ProgressLine line_;
  contest::Executables executables_;
  contest::Runner runner_;
  void build_from(std::size_t first);
  void build_until(const contest::BoardPlan& board);

  compile::DeviceFacts facts_;
  std::string arch_;
  bool builds_first_ = true;  // nothing was built yet
  double building_ = 0;       // seconds
};

}  // namespace podium::cli
