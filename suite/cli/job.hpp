// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What `podium run` and `podium verify` share: the device opened, contestants chosen and built for it.
#pragma once
#include <chrono>
#include <memory>
#include <string>

#include "suite/build/toolchain.hpp"
#include "suite/cli/devices.hpp"
#include "suite/cli/progress.hpp"
#include "suite/contest/plan.hpp"
#include "suite/contest/run.hpp"

namespace podium::cli {

// For constructors, just-in-time compilers and tuning: `asked` if that is not 0.
std::chrono::seconds setup_limit(int asked, std::chrono::seconds call);

class Job {
 public:
  // Opens `device`, reads the selection for its backend. Throws podium::Error.
  Job(const DeviceName& device, const contest::Selection& selection, const contest::RunOptions& options,
      contest::Runner::Sink sink, bool quiet);

  // Builds for the device, says on standard error what is about to happen, and returns what was opened.
  // Throws podium::Error if no judge's program compiles, workers cannot open the device, or
  // `require_sandbox` and they could open another GPU.
  protocol::Opened prepare(const std::string& what, bool require_sandbox = false);

  const contest::Plan& plan() const { return plan_; }
  contest::Plan& plan() { return plan_; }  // before run(): what it holds is run
  contest::Runner& runner() { return runner_; }
  const build::Toolchain& toolchain() const { return toolchain_; }
  record::Spent spent() const;  // of wall time until now
  // All boards. Faults of problems are said on standard error; false if there were any.
  bool run();

 private:
  DeviceName device_;
  bool in_sandbox_;
  contest::Plan plan_;
  build::Toolchain toolchain_;
  ProgressLine line_;
  contest::Executables executables_;
  contest::Runner runner_;
  double building_ = 0;  // seconds
};

}  // namespace podium::cli
