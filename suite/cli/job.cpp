// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/job.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "suite/base/counted.hpp"
#include "suite/base/parallel.hpp"
#include "suite/cli/places.hpp"
#include "suite/compile/builder.hpp"
#include "suite/contest/device_access.hpp"
#include "suite/contest/plan.hpp"

namespace podium::cli {

std::chrono::seconds setup_limit(int asked, std::chrono::seconds call) {
  return asked > 0 ? std::chrono::seconds(asked) : std::max(contest::Limits{}.setup, call);
}

Exit report_faults(const std::vector<std::string>& faults) {
  for (const auto& fault : faults) fmt::print(stderr, "podium: {}\n", fault);
  return faults.empty() ? Exit::success : Exit::usage;
}

Exit exit_of(const std::vector<record::Entry>& entries) {
  if (std::ranges::any_of(entries, [](const auto& entry) { return record::failed(entry.verdict); }))
    return Exit::contestant;
  if (std::ranges::any_of(entries, [](const auto& entry) { return entry.verdict == Verdict::right; }))
    return Exit::success;
  fmt::print(stderr, "podium: nothing was verified: no requested contestant runs here; {}\n",
             entries.empty() ? "`podium list` shows the contestants of each backend" : "their rows say why");
  return Exit::usage;
}

namespace {

// The number of compilations in one batch: few at first, so that the first table comes soon; later enough to
// keep all processors busy.
std::size_t batch_size(bool first) {
  const auto processors = std::size_t(podium::processors());
  return first ? processors : 4 * processors;
}

bool is_built(const contest::BoardPlan& board) {
  return board.broken || !board.program.empty() || !board.unmet.empty();
}

}  // namespace

Job::Job(const DeviceName& device, const contest::Selection& selection, const contest::RunOptions& options,
         contest::BoardRunner::Sink sink, Verbosity verbosity)
    : device_(device),
      in_sandbox_(!device.emulated && options.limits.under.empty()),
      plan_(contest::plan(selection, device.backend)),
      toolchain_(compile::read_toolchain(toolchain_file())),
      line_(verbosity),
      executables_(executables_for(device)),
      runner_(executables_, options, std::move(sink)) {}

// Builds one batch of boards, from `first` on.
void Job::build_from(std::size_t first) {
  const record::Stopwatch watch(building_);
  std::size_t last = first;
  for (std::size_t compilations = 0;
       last < plan_.boards.size() && (last == first || compilations < batch_size(builds_first_)); ++last)
    compilations += 1 + plan_.boards[last].entrants.size();
  builds_first_ = false;
  const auto boards = std::span(plan_.boards).subspan(first, last - first);
  compile::Builder builder(toolchain_, compile::default_cache());
  builder.for_device(facts_);
  if (device_.emulated) builder.for_emulation();
  auto faults = contest::build(
      boards, builder, device_.backend, arch_, [&](int done, int total, const std::string& name) {
        line_.show(
            fmt::format("podium: compiling, {} of {} done{}{}", done, total, name.empty() ? "" : ": ", name),
            "build");
      });
  std::ranges::move(faults, std::back_inserter(plan_.faults));
  contest::prepare(boards, executables_, [&](int done, int total) {
    line_.show(fmt::format("podium: translating, {} of {} done", done, total), "translate");
  });
}

void Job::build_until(const contest::BoardPlan& board) {
  if (!is_built(board)) build_from(static_cast<std::size_t>(&board - plan_.boards.data()));
}

void Job::build_all() {
  for (const auto& board : plan_.boards) build_until(board);
  line_.clear();
  std::erase_if(plan_.boards, [](const contest::BoardPlan& board) { return board.broken; });
}

protocol::Opened Job::prepare(const std::string& what, bool require_sandbox) {
  const protocol::Opened opened = runner_.device();
  if (in_sandbox_) contest::require_open(executables_, {device_.ordinal, protocol::get(opened.pci)});
  if (require_sandbox) contest::require_one_device(protocol::get(opened.pci));
  facts_ = {.warp = opened.warp, .multiprocessors = opened.multiprocessors};
  arch_ = code_architecture(device_, opened);
  contest::note_unmet(plan_.boards, device_.backend, arch_, opened.most_ranks);
  for (std::size_t b = 0; b < plan_.boards.size(); ++b) {
    build_until(plan_.boards[b]);
    if (!plan_.boards[b].broken) break;
  }
  line_.clear();
  if (std::ranges::all_of(plan_.boards, &contest::BoardPlan::broken))
    throw Error(fmt::format("{}", fmt::join(plan_.faults, "\n")));
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

bool Job::run(const contest::BoardRunner::Step& before, const contest::BoardRunner::Step& after) {
  const auto report_all_faults = [&] {
    line_.clear();
    auto faults = plan_.faults;
    faults.insert(faults.end(), runner_.faults().begin(), runner_.faults().end());
    return report_faults(faults);
  };
  try {
    runner_.run(
        plan_.boards, [this](const contest::Progress& progress) { line_.show(progress); },
        [&](const contest::BoardPlan& board) {
          build_until(board);
          if (before && !board.broken) before(board);
        },
        [&](const contest::BoardPlan& board) {
          line_.clear();
          if (after && !board.broken) after(board);
        });
  } catch (const Error&) {
    report_all_faults();
    throw;
  }
  return report_all_faults() == Exit::success;
}

}  // namespace podium::cli
