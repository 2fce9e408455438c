// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "suite/base/counted.hpp"
#include "suite/build/builder.hpp"
#include "suite/cli/places.hpp"
#include "suite/contest/device_access.hpp"
#include "suite/contest/prepare.hpp"
#include "suite/contest/stopwatch.hpp"

namespace podium::cli {

std::chrono::seconds setup_limit(int asked, std::chrono::seconds call) {
  return asked > 0 ? std::chrono::seconds(asked) : std::max(contest::Session::Limits{}.setup, call);
}

Exit tell(const std::vector<std::string>& faults) {
  for (const auto& fault : faults) fmt::print(stderr, "podium: {}\n", fault);
  return faults.empty() ? Exit::well : Exit::usage;
}

Job::Job(const DeviceName& device, const contest::Selection& selection, const contest::RunOptions& options,
         contest::Runner::Sink sink, bool quiet)
    : device_(device),
      in_sandbox_(!device.emulated && options.limits.under.empty()),
      plan_(contest::plan(selection, device.backend)),
      toolchain_(build::read_toolchain(toolchain_file())),
      line_(quiet),
      executables_(executables_for(device)),
      runner_(executables_, options, std::move(sink),
              [this](const contest::Progress& progress) { line_.show(progress); }) {}

protocol::Opened Job::prepare(const std::string& what, bool require_sandbox) {
  const protocol::Opened opened = runner_.device();
  if (in_sandbox_) contest::require_open(executables_, {device_.ordinal, protocol::get(opened.pci)});
  if (require_sandbox) contest::require_one_device(protocol::get(opened.pci));
  build::Builder builder(toolchain_, build::default_cache());
  builder.for_device({.warp = opened.warp, .multiprocessors = opened.multiprocessors});
  if (device_.emulated) builder.for_emulation();
  const std::string arch = device_.backend == "host" ? "" : protocol::get(opened.architecture);
  std::optional<contest::Stopwatch> watch(std::in_place, building_);
  contest::build(plan_, builder, device_.backend, arch, [&](int done, int total, const std::string& name) {
    line_.show(fmt::format("[build {}/{}] {}", done, total, name));
  });
  contest::prepare(plan_, executables_,
                   [&](int done, int total) { line_.show(fmt::format("[translate {}/{}]", done, total)); });
  watch.reset();
  line_.clear();
  std::string said;  // once a problem
  for (const auto& board : plan_.boards)
    if (!board.unmet.empty() && board.unmet != said)
      fmt::print(stderr, "podium: {} does not run here: {}\n", board.problem->name, said = board.unmet);

  std::size_t contestants = 0;
  for (const auto& board : plan_.boards) contestants += board.entrants.size();
  const std::string problems =
      plan_.problems.size() == 1 ? plan_.problems[0].name : fmt::format("{} problems", plan_.problems.size());
  fmt::print(stderr, "podium: {} on {} ({}): {}, {}, {}\n", problems, protocol::get(opened.product),
             protocol::get(opened.backend), counted(plan_.boards.size(), "board"),
             counted(contestants, "contestant"), what);
  return opened;
}

record::Spent Job::spent() const {
  record::Spent all = runner_.spent();
  all.building = building_;
  return all;
}

bool Job::run() {
  const auto tell_all = [&] {
    line_.clear();
    auto faults = plan_.faults;
    faults.insert(faults.end(), runner_.faults().begin(), runner_.faults().end());
    return tell(faults);
  };
  try {
    runner_.run(plan_.boards);
  } catch (const Error&) {
    tell_all();
    throw;
  }
  return tell_all() == Exit::well;
}

}  // namespace podium::cli
