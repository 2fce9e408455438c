// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/planning.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "suite/base/counted.hpp"

namespace podium::cluster {
namespace {

// Whole boards, or some rounds of one.
struct Bin {
  std::vector<const Candidate*> candidates;
  int first_round = 0, rounds = 0;
  double seconds = seconds_of_start;
  std::set<std::string> from;

  const std::string& level() const { return candidates.front()->level; }
  const std::vector<std::string>& named() const { return candidates.front()->named; }
};

double building(const Candidate& candidate) {
  return seconds_of_build * static_cast<double>(candidate.contestants.size());
}

void put(Bin& bin, const Candidate& candidate, const Estimate& estimate) {
  bin.candidates.push_back(&candidate);
  bin.seconds += building(candidate) + estimate.of(bin.rounds);
  bin.from.insert(estimate.from);
}

// A name as a regular expression.
std::string literal(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) text += '\\';
    text += c;
  }
  return text;
}

// "^(softmax/(bf16|f16)|sum/(f32))/": these boards and no others of their problems.
std::string filter_of(const std::vector<Board>& boards) {
  std::string text;
  for (std::size_t i = 0; i < boards.size(); ++i) {
    const bool first = i == 0 || boards[i - 1].problem != boards[i].problem;
    if (first) text += fmt::format("{}{}/(", i == 0 ? "" : "|", literal(boards[i].problem));
    text += (first ? "" : "|") + literal(boards[i].types);
    if (i + 1 == boards.size() || boards[i + 1].problem != boards[i].problem) text += ")";
  }
  return fmt::format("^({})/", text);
}

std::vector<std::string> arguments_of(const Campaign& campaign, const Shard& shard,
                                      const std::string& level) {
  std::vector<std::string> words{"run"};
  for (const Board& board : shard.boards)
    if (words.back() != board.problem) words.push_back(board.problem);
  const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
  add({level == "quick" ? "--quick" : "--full", "--rounds", std::to_string(shard.rounds), "--device",
       shard.backend, "--benchmark_filter=" + filter_of(shard.boards)});
  if (!shard.contestants.empty()) {
    add({"--contestant"});
    words.insert(words.end(), shard.contestants.begin(), shard.contestants.end());
  }
  for (const auto& [wanted, option] : {std::pair(campaign.isolated, "--isolated"),
                                       {campaign.cold_only, "--cold-only"},
                                       {campaign.energy, "--energy"},
                                       {campaign.require_sandbox, "--require-sandbox"}})
    if (wanted) add({option});
  return words;
}

class Planning {
 public:
  Planning(const Campaign& campaign, const Estimates& estimates)
      : campaign_(campaign), estimates_(estimates) {
    plan_.campaign = campaign.name;
    plan_.common = campaign.common;
    plan_.rounds = campaign.rounds * campaign.runs;
    plan_.partitions = campaign.partitions;
  }

  void add(const Offer& offer) {
    std::ranges::copy(offer.cannot, std::back_inserter(plan_.cannot));
    std::vector<Bin> bins, split;
    for (const Candidate& candidate : offer.candidates) place(*offer.partition, candidate, bins, split);
    std::ranges::move(split, std::back_inserter(bins));
    // The longest begin first: the last device to finish then waits least for the others.
    std::ranges::stable_sort(bins, std::ranges::greater(), &Bin::seconds);
    for (int run = 0; run < campaign_.runs; ++run)
      for (const Bin& bin : bins) add(*offer.partition, bin, run);
  }

  Plan result() {
    const std::size_t digits = std::max<std::size_t>(4, std::to_string(plan_.shards.size()).size());
    for (std::size_t i = 0; i < plan_.shards.size(); ++i)
      plan_.shards[i].id = fmt::format("{:0{}}", i + 1, digits);
    return std::move(plan_);
  }

 private:
  void place(const Partition& partition, const Candidate& candidate, std::vector<Bin>& bins,
             std::vector<Bin>& split) {
    const Estimate estimate = estimates_.of(partition, candidate);
    const double limit = usable_share * partition.time_limit - seconds_of_start - building(candidate);
    if (estimate.of(campaign_.rounds) <= limit) return pack(partition, candidate, estimate, bins);
    const double fit = estimate.round > 0 ? (limit - estimate.verification) / estimate.round : 0;
    if (fit < 1) {
      plan_.cannot.push_back(
          {candidate.board.problem, candidate.board.types, partition.name,
           fmt::format(
               "one round takes about {} with its verification, and a job of this partition may take {}, "
               "of which {:.0f} % are planned for; raise time_limit, or name fewer contestants",
               duration_text(seconds_of_start + building(candidate) + estimate.of(1)),
               duration_text(partition.time_limit), 100 * usable_share)});
      return;
    }
    const int parts = static_cast<int>(std::ceil(campaign_.rounds / std::floor(fit)));
    for (int part = 0, first = 0; part < parts; ++part) {
      const int rounds = campaign_.rounds / parts + (part < campaign_.rounds % parts ? 1 : 0);
      put(split.emplace_back(Bin{.first_round = first, .rounds = rounds}), candidate, estimate);
      first += rounds;
    }
  }

  // `podium run` has one level and one list of contestants for all boards of a shard.
  void pack(const Partition& partition, const Candidate& candidate, const Estimate& estimate,
            std::vector<Bin>& bins) {
    const double most = std::min(campaign_.target, usable_share * partition.time_limit);
    const auto fits = [&](const Bin& bin) {
      return bin.level() == candidate.level && bin.named() == candidate.named &&
             bin.seconds + building(candidate) + estimate.of(campaign_.rounds) <= most;
    };
    if (bins.empty() || !fits(bins.back())) bins.push_back({.rounds = campaign_.rounds});
    put(bins.back(), candidate, estimate);
  }

  void add(const Partition& partition, const Bin& bin, int run) {
    Shard& shard = plan_.shards.emplace_back();
    shard.partition = partition.name;
    shard.backend = partition.backend;
    for (const Candidate* candidate : bin.candidates) shard.boards.push_back(candidate->board);
    shard.contestants = bin.named();
    shard.first_round = run * campaign_.rounds + bin.first_round;
    shard.rounds = bin.rounds;
    shard.estimate = std::round(bin.seconds);
    shard.estimate_from = fmt::format("{}", fmt::join(bin.from, ", "));
    shard.arguments = arguments_of(campaign_, shard, bin.level());
  }

  const Campaign& campaign_;
  const Estimates& estimates_;
  Plan plan_;
};

// Cut in the middle of a list, with how many more there are.
std::string brief(const std::vector<Board>& boards) {
  constexpr std::size_t most = 3;
  if (boards.size() <= most + 1) return text_of(boards);
  return fmt::format("{} and {} more", text_of({boards.begin(), boards.begin() + most}),
                     boards.size() - most);
}

std::string rounds_text(const Plan& plan, const Shard& shard) {
  if (shard.rounds == plan.rounds) return std::to_string(shard.rounds);
  if (shard.rounds == 1) return fmt::format("{} of {}", shard.first_round + 1, plan.rounds);
  return fmt::format("{}-{} of {}", shard.first_round + 1, shard.first_round + shard.rounds, plan.rounds);
}

std::string table_of(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths(lines.front().size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  std::string text;
  for (const auto& line : lines) {
    std::string out = " ";
    for (std::size_t i = 0; i < line.size(); ++i) out += fmt::format(" {:<{}} ", line[i], widths[i]);
    text += out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string partitions_text(const Plan& plan) {
  std::vector<std::vector<std::string>> lines{
      {"partition", "backend", "boards", "shards", "longest", "limit", "device time"}};
  for (const Partition& partition : plan.partitions) {
    std::set<Board> boards;
    double longest = 0, all = 0;
    int shards = 0;
    for (const Shard& shard : plan.shards) {
      if (shard.partition != partition.name) continue;
      boards.insert(shard.boards.begin(), shard.boards.end());
      longest = std::max(longest, shard.estimate);
      all += shard.estimate;
      ++shards;
    }
    lines.push_back({partition.name,
                     partition.arch.empty() ? partition.backend : partition.backend + " " + partition.arch,
                     std::to_string(boards.size()), std::to_string(shards),
                     shards ? duration_text(longest) : "-", duration_text(partition.time_limit),
                     shards ? duration_text(all) : "-"});
  }
  return table_of(lines);
}

std::string shards_text(const Plan& plan) {
  std::vector<std::vector<std::string>> lines{
      {"shard", "partition", "time", "rounds", "boards", "time from"}};
  for (const Shard& shard : plan.shards)
    lines.push_back({shard.id, shard.partition, duration_text(shard.estimate), rounds_text(plan, shard),
                     brief(shard.boards), shard.estimate_from});
  return table_of(lines);
}

// One line for what has the same reason.
std::string cannot_text(const Plan& plan) {
  std::map<std::pair<std::string, std::string>, std::vector<Board>> by_reason;
  for (const Cannot& one : plan.cannot)
    by_reason[{one.partition, one.why}].push_back({one.problem, one.types});
  std::string text;
  for (const auto& [of, boards] : by_reason)
    text += fmt::format("  {}: {}: {}\n", of.first, brief(boards), of.second);
  return text;
}

}  // namespace

Plan make_plan(const Campaign& campaign, const std::vector<Offer>& offers, const Estimates& estimates) {
  Planning planning(campaign, estimates);
  for (const Offer& offer : offers) planning.add(offer);
  return planning.result();
}

std::string text_of(const Plan& plan) {
  double seconds = 0;
  for (const Shard& shard : plan.shards) seconds += shard.estimate;
  std::string text = fmt::format("{}: {} on {}, about {} of device time\n\n", plan.campaign,
                                 counted(plan.shards.size(), "shard"),
                                 counted(plan.partitions.size(), "partition"), duration_text(seconds));
  text += partitions_text(plan);
  if (!plan.shards.empty()) text += "\n" + shards_text(plan);
  if (!plan.cannot.empty()) text += "\ncannot run:\n" + cannot_text(plan);
  return text;
}

}  // namespace podium::cluster
