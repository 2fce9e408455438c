// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/resumed_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/cli/describe.hpp"
#include "suite/compile/content.hpp"
#include "suite/record/sources.hpp"

namespace podium::cli {
namespace {

namespace fs = std::filesystem;

constexpr int first_resumable = 2;  // schema

// Whether contestants are others than those whose texts a run kept.
class Differs {
 public:
  explicit Differs(std::map<std::string, record::Source> kept) : kept_(std::move(kept)) {}

  // Also by a file that it includes. One whose text was not kept has not been measured.
  bool operator()(const contest::Entrant& entrant, const record::ContestantRecord& before) {
    const std::string* text = kept(record::text_hash(before));
    if (!text) return false;
    return entrant.sha256 != before.sha256 ||
           record::named_files(*text, before.included, [&](const std::string& of) { return kept(of); }) !=
               named_now(entrant);
  }

 private:
  const std::string* kept(const std::string& sha256) const {
    const auto found = kept_.find(sha256);
    return found == kept_.end() ? nullptr : &found->second.text;
  }

  std::map<std::string, std::string> named_now(const contest::Entrant& entrant) {
    std::map<std::string, std::string> names;
    std::map<std::string, const std::string*> texts;
    const auto around = contents_.around(entrant.contestant.file);
    for (const compile::Input& input : around) {
      if (input.file == fs::absolute(entrant.contestant.file).lexically_normal()) continue;
      names.emplace(input.name, input.sha256);
      texts.emplace(input.sha256, input.text.get());
    }
    return record::named_files(*entrant.text, names, [&](const std::string& of) {
      const auto found = texts.find(of);
      return found == texts.end() ? nullptr : found->second;
    });
  }

  std::map<std::string, record::Source> kept_;
  compile::Contents contents_;
};

void require(const fs::path& run, const char* what, const std::string& before, const std::string& now) {
  if (before == now) return;
  throw Error(
      fmt::format("{}: the run was begun with the {} {}, and this is {}: times of the two do not "
                  "compare; resume it where it was begun, or start a new run",
                  run.string(), what, before, now));
}

std::string text_of(const std::vector<record::Compiler>& compilers) {
  std::vector<std::string> texts;
  for (const auto& one : compilers)
    texts.push_back(fmt::format("{} {}", one.version, fmt::join(one.flags, " ")));
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

ResumedRun::ResumedRun(const fs::path& folder) : folder_(folder), claimed_(record::claim(folder)) {
  const auto json = record::read_provenance(folder);
  if (json.at("schema") < first_resumable)
    throw Error(
        fmt::format("{}: an older Podium recorded this run (schema {}), without the sources of its "
                    "contestants, so nobody can tell whether they have changed; start a new run",
                    folder.string(), json.at("schema").dump()));
  on_record_ = record::provenance_from(json);
  lines_ = record::read_lines(folder);
  for (const auto& line : lines_) entries_.push_back(record::entry_from(line));
}

void ResumedRun::add_rounds(int rounds) {
  if (rounds < on_record_.rounds)
    throw Error(fmt::format(
        "--rounds {}: the run was planned with {} rounds, and what was measured stays; expected {} or more",
        rounds, on_record_.rounds, on_record_.rounds));
  on_record_.rounds = rounds;
}

void ResumedRun::complete(RunRequest& request) const {
  std::set<std::string> problems;
  for (const auto& board : on_record_.boards) {
    problems.insert(board.problem);
    request.full = request.full || board.stage == "bench";
  }
  request.problems.assign(problems.begin(), problems.end());
  request.quick = !request.full;
  request.isolated = on_record_.isolated;
  request.cold_only = !on_record_.columns;
  request.energy = on_record_.energy;
  if (request.rounds == 0) request.rounds = on_record_.rounds;
  request.benchmark.filter = on_record_.filter;
  if (request.device.empty()) request.device = on_record_.device.backend;
}

void ResumedRun::complete(contest::Selection& selection, contest::RunOptions& options) const {
  selection.also = std::exchange(selection.contestants, {});
  selection.one_choice = false;
  options.stopping = on_record_.stopping;
}

bool ResumedRun::plan_rest(contest::Plan& plan) {
  rest_ = contest::rest_of(plan, on_record_, entries_, Differs(record::read_sources(folder_, on_record_)));
  plan.boards = rest_.boards;
  if (!rest_.missing.empty())
    fmt::print(stderr,
               "podium: no longer there, and left as they are on record: {}; name files that are elsewhere "
               "with --contestant\n",
               fmt::join(rest_.missing, ", "));
  for (std::size_t i = 0; i < lines_.size(); ++i)
    if (!rest_.set_aside[i].empty()) lines_[i]["set_aside"] = rest_.set_aside[i];
  std::vector<record::Entry> counting;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    entries_[i].set_aside = rest_.set_aside[i];
    auto& those = rest_.set_aside[i].empty() ? counting : set_aside_;
    those.push_back(std::move(entries_[i]));
  }
  entries_ = std::move(counting);
  return !plan.boards.empty();
}

void ResumedRun::require_same(const protocol::Opened& device, const compile::Toolchain& toolchain) const {
  require(folder_, "device", record::slug(on_record_.device), record::slug(key_of(device)));
  require(folder_, "driver", on_record_.driver, protocol::get(device.driver));
  require(folder_, "compilers", text_of(on_record_.compilers),
          text_of(compilers_of(toolchain, on_record_.device.backend)));
}

record::Provenance ResumedRun::begin(const record::Provenance& now) {
  if (record::attested(on_record_) && !record::attested(now))
    throw Error(
        fmt::format("{}: the run was begun with contestants kept from the judge by their user id and "
                    "seccomp, and this machine does not grant both now; `podium doctor` says why",
                    folder_.string()));
  record::Provenance all = on_record_;
  if (all.segments.empty())
    all.segments.push_back({.podium = all.podium,
                            .commit = all.commit,
                            .command = all.command,
                            .started = all.started,
                            .order_seed = all.order_seed,
                            .wall_seconds = all.wall_seconds,
                            .ended = all.ended});
  all.segments.push_back({.podium = now.podium,
                          .commit = now.commit,
                          .command = now.command,
                          .started = now.started,
                          .order_seed = now.order_seed,
                          .replaced = rest_.replaced});
  segment_ = static_cast<int>(all.segments.size()) - 1;
  all.wall_seconds = 0;
  all.ended.clear();
  all.boards = now.boards;
  all.contestants = now.contestants;
  add_others(all);
  return all;
}

std::unique_ptr<record::Writer> ResumedRun::writer(const record::Provenance& provenance) {
  return std::make_unique<record::Writer>(folder_, std::move(claimed_), record::to_json(provenance),
                                          std::exchange(lines_, {}));
}

void ResumedRun::add_others(record::Provenance& provenance) const {
  auto boards = rest_.records;
  for (record::BoardRecord& known : boards) {
    const auto now = std::ranges::find_if(provenance.boards, [&](const record::BoardRecord& one) {
      return one.problem == known.problem && one.types == known.types && one.series == known.series;
    });
    if (now == provenance.boards.end()) continue;
    record::BoardRecord all = *now;
    all.contestants = known.contestants;  // also those that are no longer there
    if (all.empty_call < 0) {             // not measured again yet
      all.empty_call = known.empty_call;
      all.judge_overhead = known.judge_overhead;
      all.tolerance = known.tolerance;
    }
    for (const auto member : {&record::BoardRecord::seconds, &record::BoardRecord::verification_seconds})
      if (known.*member >= 0) all.*member = known.*member + std::max(0.0, all.*member);
    known = std::move(all);
  }
  provenance.boards = std::move(boards);
  auto contestants = on_record_.contestants;
  for (record::ContestantRecord& now : provenance.contestants) {
    const auto known = std::ranges::find_if(contestants, [&](const record::ContestantRecord& one) {
      return one.problem == now.problem && one.name == now.name;
    });
    if (known == contestants.end())
      contestants.push_back(std::move(now));
    else if (known->sha256 != now.sha256 || !now.included.empty())
      *known = std::move(now);
  }
  provenance.contestants = std::move(contestants);
}

void ResumedRun::end(record::Provenance& provenance) const {
  record::Segment& last = provenance.segments.back();
  last.wall_seconds = provenance.wall_seconds;
  last.ended = provenance.ended;
  provenance.wall_seconds = 0;
  for (const record::Segment& segment : provenance.segments) provenance.wall_seconds += segment.wall_seconds;
  provenance.spent += on_record_.spent;
  provenance.secrets.insert(provenance.secrets.begin(), on_record_.secrets.begin(), on_record_.secrets.end());
}

}  // namespace podium::cli
