// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/estimate.hpp"

#include <algorithm>
#include <system_error>

#include "suite/base/error.hpp"
#include "suite/record/record.hpp"

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;

std::size_t contestants_of(const record::Provenance& provenance, const record::BoardRecord& board) {
  if (!board.contestants.empty()) return board.contestants.size();
  return static_cast<std::size_t>(
      std::ranges::count(provenance.contestants, board.problem, &record::ContestantRecord::problem));
}

double entries_of(const record::Provenance& provenance, const record::BoardRecord& board) {
  return static_cast<double>(contestants_of(provenance, board)) *
         static_cast<double>(1 + board.workloads.size());
}

// Older runs recorded no time of a board: its share of the entries, and of these one round more for
// verification.
Estimate shared(const record::Provenance& provenance, const record::BoardRecord& board) {
  double all = 0;
  for (const record::BoardRecord& one : provenance.boards) all += entries_of(provenance, one);
  const double seconds = std::max(0.0, provenance.wall_seconds - provenance.spent.building) *
                         entries_of(provenance, board) / all;
  const double round = seconds / (provenance.rounds + 1);
  return {.verification = round, .round = round};
}

Estimate measured(const record::Provenance& provenance, const record::BoardRecord& board) {
  const double verification = std::max(0.0, board.verification_seconds);
  return {.verification = verification,
          .round = std::max(0.0, board.seconds - verification) / std::max(1, provenance.rounds)};
}

}  // namespace

void Estimates::add(const std::string& name, const record::Provenance& provenance) {
  const bool whole = provenance.wall_seconds > 0 && provenance.ended.empty();
  for (const record::BoardRecord& board : provenance.boards) {
    if (contestants_of(provenance, board) == 0 || (board.seconds < 0 && !whole)) continue;
    auto& known = known_[{provenance.device.backend, board.problem, board.types, board.stage}];
    if (std::ranges::find(known, provenance.device.architecture, &Known::architecture) != known.end())
      continue;
    Known& added = known.emplace_back(
        Known{.estimate = board.seconds < 0 ? shared(provenance, board) : measured(provenance, board),
              .architecture = provenance.device.architecture,
              .contestants = contestants_of(provenance, board)});
    added.estimate.from = name;
  }
}

Estimate Estimates::of(const Partition& partition, const Candidate& candidate) const {
  const auto count = static_cast<double>(candidate.contestants.size());
  const auto found =
      known_.find({partition.backend, candidate.board.problem, candidate.board.types, candidate.level});
  if (found != known_.end())
    for (const Known& known : found->second) {
      if (!partition.arch.empty() && !known.architecture.starts_with(partition.arch)) continue;
      const double scale = count / static_cast<double>(known.contestants);
      return {.verification = known.estimate.verification * scale,
              .round = known.estimate.round * scale,
              .from = known.estimate.from};
    }
  return {.verification = count * candidate.tests * seconds_of_entry,
          .round = (count + 1) * candidate.workloads * seconds_of_entry,  // the baseline has a twin
          .from = by_default};
}

Estimates estimates_from(const std::vector<fs::path>& folders) {
  struct Found {
    std::string name;
    record::Provenance provenance;
  };
  std::vector<Found> runs;
  std::error_code none;  // a folder that is not there, or closed to this user
  for (const fs::path& folder : folders)
    for (const auto& device : fs::directory_iterator(folder, none)) {
      std::error_code closed;
      for (const auto& run : fs::directory_iterator(device.path(), closed)) {
        if (!fs::exists(run.path() / "run.json", closed)) continue;
        try {
          runs.push_back(
              {run.path().filename().string(), record::provenance_from(record::read_provenance(run.path()))});
        } catch (const Error&) {  // `podium report` says what is wrong with it; plans go on without it
        }
      }
    }
  std::ranges::sort(runs, [](const Found& a, const Found& b) {
    return std::tie(a.provenance.started, a.name) > std::tie(b.provenance.started, b.name);
  });
  Estimates estimates;
  for (const Found& run : runs) estimates.add(run.name, run.provenance);
  return estimates;
}

}  // namespace podium::cluster
