// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Compiles contestants and judge's programs: a stub each, a cache keyed by content.
#pragma once
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "suite/compile/cache.hpp"
#include "suite/compile/compile.hpp"
#include "suite/compile/content.hpp"
#include "suite/compile/contestant.hpp"
#include "suite/compile/job.hpp"
#include "suite/compile/sealed_resolve.hpp"
#include "suite/compile/toolchain.hpp"
#include "suite/problem/model/problem.hpp"

namespace podium::compile {

class Builder {
 public:
  // `cache`: folder of finished products, made if absent. Throws podium::Error.
  Builder(Toolchain toolchain, std::filesystem::path cache, Limits limits = limits_of_compilation());

  // Returns an index into the result of run(). `arch`: the device's architecture, "sm_90", "gfx942", or ""
  // for the host; code is generated for the contestant's own where it states one. Nothing is kept of the
  // arguments.
  std::size_t add(const problem::Problem&, const problem::Choice&, const Contestant&,
                  const std::string& backend, const std::string& arch);
  // The program of the process of its reference in Python. A file of the problem's that is missing, or no
  // Python, fails it.
  std::size_t add_reference(const problem::Problem&, const problem::Choice&, const std::string& backend);
  std::size_t add_program(const problem::Problem&, const problem::Choice&, const std::string& backend,
                          const std::string& arch);

  // The device on which the products will run, for the formulas of sealed contestants. Without it, those that
  // ask for its multiprocessors are not available.
  void for_device(const DeviceFacts& device) { device_ = device; }

  // The device is emulated: where the toolchain has tools of its own for that, they are used in place of the
  // compilers. What has no code that they could translate, such as a vendor's library, is not available then.
  void for_emulation();

  // The kernels of `podium calibrate`.
  std::size_t add_calibration(const std::string& backend, const std::string& arch);

  // Compiles all that the cache lacks. Never throws for a failed compile;
  // throws podium::Error if the build as a whole stopped: interrupted, disk full, cache not writable.
  // What was finished by then is kept.
  std::vector<Product> run(const Progress& progress = nullptr);

 private:
  std::string check_needs(Job& job, const Contestant& contestant, const std::string& backend,
                          const std::string& arch);
  void command_for(Job& job, const Contestant& contestant, const std::string& backend,
                   const std::string& arch);
  // builder_interpreted.cpp
  void interpret(Job& job, const std::string& backend, const std::string& script);
  nlohmann::json texts_of(Job& job, const problem::Problem& problem, const problem::PythonFile& file);
  std::size_t add_interpreted(const problem::Problem&, const problem::Choice&, const Contestant&,
                              const std::string& backend, const std::string& arch, Job job);
  // builder_sealed.cpp
  std::size_t add_sealed(const problem::Problem&, const problem::Choice&, const Contestant&,
                         const std::string& backend, const std::string& arch);
  Job sealed_part(const problem::Problem&, const problem::Choice&, const Contestant&,
                  const std::string& backend, const std::string& code, const CodeSpec& spec);
  void check_compiler(Job& job, const std::string& backend) const;
  std::size_t finish(Job job, const std::string& stem, const char* suffix);

  Toolchain toolchain_;
  std::filesystem::path cache_;
  Cache kept_;
  Limits limits_;
  std::string searched_;
  Contents contents_;
  std::vector<Job> jobs_;
  DeviceFacts device_;
};

}  // namespace podium::compile
