// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium doctor`: what this machine grants, line by line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "suite/base/counted.hpp"
#include "suite/cli/command.hpp"
#include "suite/cli/device_nodes.hpp"
#include "suite/cli/devices.hpp"
#include "suite/cli/diagnostics.hpp"
#include "suite/cli/places.hpp"
#include "suite/compile/interpreter.hpp"
#include "suite/compile/toolchain.hpp"
#include "suite/contest/device_access.hpp"
#include "suite/sandbox/process_tree.hpp"
#include "suite/sandbox/sandbox.hpp"

namespace podium::cli {
namespace {

struct Request {
  bool require = false;  // only the sandbox, and Exit::usage if a leaderboard cannot rest on it
  std::filesystem::path bundle, results;    // diagnostics.hpp
  std::vector<std::filesystem::path> with;  // files that the bundle holds too
};

void show(const sandbox::Grant& grant) {
  const std::string name(name_of(grant.means));
  const std::string detail = grant.detail.empty() ? "" : fmt::format(" ({})", grant.detail);
  if (grant.held)
    fmt::print("  yes  {:18} {}{}\n", name, effect_of(grant.means), detail);
  else
    fmt::print("  no   {:18} {}; {}\n", name, grant.detail, advice_on(grant.means));
}

void show_closed_devices() {
  for (const auto& node : closed_to_workers())
    fmt::print("  no   {:18} not accessible to a worker under another user id: {}\n", node.file, node.advice);
}

struct Reach {
  bool open = true;   // workers, with all of that, can open each device that the judge can
  bool alone = true;  // and no other GPU
};

Reach show_access(const nlohmann::json& devices) {
  Reach all;
  for (const auto& device : devices) {
    if (device.contains("emulated") || !device["available"].get<bool>()) continue;
    const std::string name = device["device"];
    const DeviceName parsed = parse_device(name);
    const auto access = contest::access_to(executables_for(parsed), {parsed.ordinal, device["pci"]});
    const bool open = access.closed.empty();
    fmt::print("  {:4} {:18} {}{}\n", open ? "yes" : "no", name,
               open ? "a confined worker can open it" : "a confined worker cannot open it: " + access.closed,
               access.gpus > 0 ? fmt::format(", and sees {}", counted(access.gpus, "GPU")) : "");
    // Of this device it may be another matter than what was tried.
    const sandbox::Grant one = contest::one_device_on(device["pci"]);
    if (one.held != sandbox::granted().has(one.means))
      fmt::print("  {:4} {:18} {}\n", one.held ? "yes" : "no", name_of(one.means), one.detail);
    all.open = all.open && open;
    all.alone = all.alone && one.held;
  }
  return all;
}

// Compilers, and the libraries that contestants may need.
void show_tools() {
  for (const auto& [backend, tools] : compile::read_toolchain(toolchain_file()).backends) {
    fmt::print("compiler for {}: {}\n", backend, tools.version);
    std::vector<std::string> found;
    for (const auto& [name, need] : tools.needs)
      if (need.found) found.push_back(name);
    fmt::print("  yes  {}\n", found.empty() ? "no library" : fmt::format("{}", fmt::join(found, ", ")));
    for (const auto& [name, need] : tools.needs)
      if (!need.found) fmt::print("  no   {:18} {}\n", name, need.hint);
    if (const auto python = tools.needs.find("python"); python != tools.needs.end() && python->second.found) {
      const auto& found = compile::interpreter_at(python->second.compile.front());
      fmt::print(
          "  {:4} {:18} {}\n", found.fault.empty() ? "yes" : "no", "contestants' Python",
          found.fault.empty() ? fmt::format("{}, {}", found.version, found.program.string()) : found.fault);
    }
  }
}

Exit doctor(const Request& request) {
  const bool require = request.require;
  if (!request.bundle.empty()) {
    write_bundle(request.bundle, request.results.empty() ? results_folder() : request.results, request.with);
    fmt::print("{}: diagnostic bundle written; review it before you send it\n", request.bundle.string());
    return Exit::success;
  }
  const nlohmann::json all = devices();
  if (!require) show_devices(all);
  if (!require) show_tools();
  const auto& grants = sandbox::grants();
  fmt::print("sandbox of contestants, each means tried on this machine\n");
  for (const auto& grant : grants) show(grant);
  fmt::print(
      "  yes  {:18} the judge's memory is closed to other processes. Descriptors, environment and standard "
      "input are not inherited. No core files; files up to 64 MiB; {} threads; {} processes; memory of all "
      "processes of a worker within --memory\n",
      "always", sandbox::most_threads(), sandbox::most_processes);
  const bool narrow =
      sandbox::granted().has(sandbox::Means::mounts) || sandbox::granted().has(sandbox::Means::landlock);
  fmt::print("  {:4} {:18} {}\n", narrow ? "yes" : "no", "compilers",
             narrow ? "can read the tool chain and the contestant's sources only"
                    : "can read everything that their user may read; allow a mount namespace or Landlock");
  show_closed_devices();
  const Reach reach = show_access(all);
  const std::string missing = lacking(grants);
  const bool well = attested(sandbox::granted());
  fmt::print("{}\n", !well              ? "results are unattested; attestation requires uid and seccomp"
                     : !missing.empty() ? "results are attested; --require-sandbox is not met: " + missing
                     : !reach.alone     ? "results are attested; --require-sandbox is not met: one device"
                                        : "results are attested; --require-sandbox is met");
  if (!require || (missing.empty() && reach.alone && reach.open)) return Exit::success;
  return missing.empty() && reach.alone ? Exit::no_device : Exit::usage;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto request = std::make_shared<Request>();
  auto* require_option = app.add_flag("--require-sandbox", request->require,
                                      "Check only the sandbox; exit status 2 if it is not complete");
  auto* bundle_option = app.add_option("--bundle", request->bundle,
                                       "Write a diagnostic bundle to this file: the report, output of system "
                                       "tools, and the newest runs")
                            ->excludes(require_option);
  app.add_option("--with", request->with, "With --bundle: further files to include")->needs(bundle_option);
  app.add_option("--results", request->results, "With --bundle: folder of results");
  return [request] { return doctor(*request); };
}

const Registered registered({.name = "doctor",
                             .summary = "Report devices, compilers, libraries and sandbox of this machine",
                             .place = 140,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
