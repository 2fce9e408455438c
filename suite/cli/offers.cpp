// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/offers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "suite/base/backend.hpp"
#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/cli/devices.hpp"
#include "suite/cli/places.hpp"
#include "suite/compile/command.hpp"
#include "suite/compile/toolchain.hpp"
#include "suite/contest/plan.hpp"

namespace podium::cli {
namespace {

using cluster::Partition;

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::ranges::find(list, item) != list.end();
}

// As a campaign names it, also where its row is named after its file.
std::string name_in(const compile::Contestant& contestant) {
  return contestant.name.substr(0, contestant.name.find('.'));
}

// Names that occur somewhere, against which a campaign's are held.
struct Seen {
  std::set<std::string> problems, types, contestants;
};

class Offering {
 public:
  Offering(const cluster::Campaign& campaign, const std::filesystem::path& problems)
      : campaign_(campaign), built_(built_backends()), toolchain_(compile::read_toolchain(toolchain_file())) {
    std::set<std::string> levels;
    for (const cluster::ChosenProblem& one : campaign.problems) levels.insert(level_of(&one));
    if (campaign.problems.empty()) levels.insert(campaign.level);
    for (const Partition& partition : campaign.partitions)
      for (const std::string& level : levels) read(problems, partition.backend, level);
  }

  cluster::Offer offer(const Partition& partition) {
    cluster::Offer offer{.partition = &partition};
    if (!is_built(partition)) {
      offer.cannot.push_back(
          {"all problems", "", partition.name,
           fmt::format(
               "this Podium was built without {}; build it with `cmake --preset {}`, or name a container",
               partition.backend, partition.backend)});
      return offer;
    }
    for (const std::string& problem : seen_.problems) add(offer, problem);
    return offer;
  }

  std::vector<std::string> faults() const { return {faults_.begin(), faults_.end()}; }
  const Seen& seen() const { return seen_; }

 private:
  std::string level_of(const cluster::ChosenProblem* chosen) const {
    return chosen && !chosen->level.empty() ? chosen->level : campaign_.level;
  }

  const cluster::ChosenProblem* chosen(const std::string& problem) const {
    const auto found = std::ranges::find(campaign_.problems, problem, &cluster::ChosenProblem::name);
    return found == campaign_.problems.end() ? nullptr : &*found;
  }

  // A container has a Podium of its own.
  static bool contained(const Partition& partition) {
    return !partition.apptainer.empty() || !partition.pyxis.empty();
  }
  bool is_built(const Partition& partition) const {
    return contained(partition) || contains(built_, partition.backend);
  }

  void read(const std::filesystem::path& problems, const std::string& backend, const std::string& level) {
    if (plans_.contains({backend, level})) return;
    contest::Selection selection{.problems = problems,
                                 .stage = level == "quick" ? problem::Stage::quick : problem::Stage::bench};
    for (const cluster::ChosenProblem& one : campaign_.problems)
      if (level_of(&one) == level) selection.names.push_back(one.name);
    const contest::Plan& plan =
        plans_.emplace(std::pair(backend, level), contest::plan(selection, backend)).first->second;
    faults_.insert(plan.faults.begin(), plan.faults.end());
    for (const problem::Problem& one : plan.problems) {
      seen_.problems.insert(one.name);
      for (const problem::Choice& choice : one.choices) seen_.types.insert(choice.name);
    }
    for (const contest::BoardPlan& board : plan.boards)
      for (const contest::Entrant& entrant : board.entrants)
        seen_.contestants.insert(name_in(entrant.contestant));
  }

  void add(cluster::Offer& offer, const std::string& name) {
    const Partition& partition = *offer.partition;
    if (!partition.problems.empty() && !contains(partition.problems, name)) return;
    const cluster::ChosenProblem* own = chosen(name);
    const auto& types = own && !own->types.empty() ? own->types : campaign_.types;
    contest::Plan& plan = plans_.at({partition.backend, level_of(own)});
    contest::note_unmet(plan.boards, partition.backend, partition.arch);
    bool any = false;
    for (const contest::BoardPlan& board : plan.boards) {
      if (board.problem->name != name) continue;
      any = true;
      if (types.empty() || contains(types, board.problem->choices[board.choice].name)) add(offer, board, own);
    }
    if (!any)
      offer.cannot.push_back(
          {name, "", partition.name, fmt::format("no contestant runs on {}", partition.backend)});
  }

  void add(cluster::Offer& offer, const contest::BoardPlan& board, const cluster::ChosenProblem* own) {
    const Partition& partition = *offer.partition;
    const auto& wanted = own && !own->contestants.empty() ? own->contestants : campaign_.contestants;
    cluster::Candidate candidate{.board = {board.problem->name, board.problem->choices[board.choice].name},
                                 .level = level_of(own),
                                 .tests = static_cast<int>(board.tests.size()),
                                 .workloads = static_cast<int>(board.timed.size())};
    const auto cannot = [&](const std::string& why) {
      offer.cannot.push_back({candidate.board.problem, candidate.board.types, partition.name, why});
    };
    if (!partition.arch.empty() && !board.unmet.empty()) return cannot(board.unmet);
    bool timed = false;
    for (const contest::Entrant& entrant : board.entrants) {
      const std::string name = name_in(entrant.contestant);
      if (!wanted.empty() && !contains(wanted, name) && entrant.contestant.name != board.baseline) continue;
      if (const std::string library = missing_library(entrant.contestant, partition); !library.empty()) {
        cannot(fmt::format("{} needs {}", name, library));
        continue;
      }
      timed = timed || !entrant.timed.empty();
      candidate.contestants.push_back(name);
      if (contains(wanted, name)) candidate.named.push_back(name);
    }
    if (!timed) return cannot(fmt::format("no contestant is timed on {} workloads of it", candidate.level));
    if (!wanted.empty() && candidate.named.empty()) candidate.named = candidate.contestants;  // the baseline
    offer.candidates.push_back(std::move(candidate));
  }

  // What a contestant needs and this Podium did not find; of a container nothing is known.
  std::string missing_library(const compile::Contestant& contestant, const Partition& partition) const {
    const auto tools = toolchain_.backends.find(partition.backend);
    if (contained(partition) || tools == toolchain_.backends.end()) return "";
    for (const std::string& name : compile::all_needs(contestant)) {
      const auto need = tools->second.needs.find(name);
      if (need != tools->second.needs.end() && !need->second.found)
        return fmt::format("{}, which was not found: {}", name, need->second.hint);
    }
    return "";
  }

  const cluster::Campaign& campaign_;
  std::vector<std::string> built_;
  compile::Toolchain toolchain_;
  std::map<std::pair<std::string, std::string>, contest::Plan> plans_;  // by backend and level
  std::set<std::string> faults_;
  Seen seen_;
};

void refuse_unknown(const std::filesystem::path& file, const std::string& key,
                    const std::vector<std::string>& named, const std::set<std::string>& known) {
  for (const std::string& name : named)
    if (!known.contains(name))
      throw Error(
          fmt::format("{}: {}: {}", file.string(), key, found_one_of(name, {known.begin(), known.end()})));
}

}  // namespace

Offers offers_of(const cluster::Campaign& campaign, const std::filesystem::path& file,
                 const std::filesystem::path& problems) {
  std::optional<Offering> offering;
  try {
    offering.emplace(campaign, problems);
  } catch (const Error& e) {
    throw Error(fmt::format("{}: {}", file.string(), e.what()));
  }
  const Seen& seen = offering->seen();
  refuse_unknown(file, "types", campaign.types, seen.types);
  refuse_unknown(file, "contestants", campaign.contestants, seen.contestants);
  for (const cluster::ChosenProblem& one : campaign.problems) {
    refuse_unknown(file, fmt::format("problems: {}: types", one.name), one.types, seen.types);
    refuse_unknown(file, fmt::format("problems: {}: contestants", one.name), one.contestants,
                   seen.contestants);
  }
  for (const Partition& partition : campaign.partitions)
    refuse_unknown(file, fmt::format("partitions.{}.problems", partition.name), partition.problems,
                   seen.problems);
  Offers offers;
  for (const Partition& partition : campaign.partitions) offers.offers.push_back(offering->offer(partition));
  offers.faults = offering->faults();
  return offers;
}

}  // namespace podium::cli
