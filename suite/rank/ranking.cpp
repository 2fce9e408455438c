// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Paired comparison of all candidates over rounds, and the ranks, spans and scores that follow from it.
#include "suite/rank/ranking.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "suite/rank/student.hpp"

namespace podium::rank {
namespace {

constexpr double alpha = 1 - confidence;

void refuse_nonsense(const std::vector<Candidate>& candidates, const Candidate& baseline) {
  if (baseline.times.empty() || baseline.times.front().empty())
    throw std::invalid_argument("no workloads or no rounds");
  for (const Candidate& candidate : candidates) {
    if (candidate.times.size() != baseline.times.size())
      throw std::invalid_argument(candidate.name + ": not as many workloads as the baseline");
    for (const auto& rounds : candidate.times) {
      if (rounds.size() != baseline.times.front().size())
        throw std::invalid_argument(candidate.name + ": not as many rounds as the baseline");
      for (const double time : rounds)
        if (time <= 0 || std::isinf(time))
          throw std::invalid_argument(candidate.name + ": a time is not positive and finite");
    }
  }
  for (auto one = candidates.begin(); one != candidates.end(); ++one)
    if (std::any_of(one + 1, candidates.end(),
                    [&](const Candidate& other) { return other.name == one->name; }))
      throw std::invalid_argument(one->name + ": named twice");
}

const Candidate* find(const std::vector<Candidate>& candidates, const std::string& name) {
  const auto found = std::ranges::find(candidates, name, &Candidate::name);
  return found == candidates.end() ? nullptr : &*found;
}

bool finished(const Candidate& candidate) {
  return std::ranges::all_of(candidate.times, [](const auto& rounds) {
    return std::ranges::none_of(rounds, [](double time) { return std::isnan(time); });
  });
}

// Per round, the mean over workloads of log(t_a / t_b).
Mean log_ratio(const Candidate& a, const Candidate& b) {
  std::vector<double> rounds(a.times.front().size());
  for (std::size_t round = 0; round < rounds.size(); ++round) {
    for (std::size_t workload = 0; workload < a.times.size(); ++workload)
      rounds[round] += std::log(a.times[workload][round]) - std::log(b.times[workload][round]);
    rounds[round] /= static_cast<double>(a.times.size());
  }
  return mean(rounds);
}

double mean_log(const Candidate& candidate) {
  double sum = 0;
  for (const auto& rounds : candidate.times)
    for (const double time : rounds) sum += std::log(time);
  return sum / static_cast<double>(candidate.times.size() * candidate.times.front().size());
}

double delta_of(const Candidate* baseline, const Candidate* twin) {
  if (!baseline || !twin || !finished(*baseline) || !finished(*twin)) return delta_without_twin;
  const Mean difference = log_ratio(*baseline, *twin);
  if (difference.freedom == 0) return delta_without_twin;
  return std::max(least_delta, std::abs(difference.value) + half_width(difference, alpha));
}

// Fills in rank, span and undecided of `rows`, all of them scored; `candidates` in the same order.
void compare(std::vector<Row>& rows, const std::vector<const Candidate*>& candidates, double delta,
             int rounds) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  std::vector<Mean> ratios;  // log(t_a / t_b)
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = a + 1; b < rows.size(); ++b) {
      pairs.emplace_back(a, b);
      ratios.push_back(log_ratio(*candidates[a], *candidates[b]));
    }
  }
  for (Row& row : rows) {
    row.rank = 1;
    row.last = static_cast<int>(rows.size());
  }
  std::vector<Decision> decisions(pairs.size(), Decision::undecided);
  if (rounds >= least_rounds) decisions = decide(ratios, delta, alpha);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    Row &a = rows[pairs[i].first], &b = rows[pairs[i].second];
    if (decisions[i] == Decision::undecided) {
      a.undecided.push_back(b.name);
      b.undecided.push_back(a.name);
    } else if (decisions[i] != Decision::equal) {
      const bool a_beats_b = decisions[i] == Decision::less;
      ++(a_beats_b ? b : a).rank;
      --(a_beats_b ? a : b).last;
    }
  }
}

void score(Row& row, const Candidate& candidate, const Candidate& baseline) {
  const Mean ratio = log_ratio(baseline, candidate);
  row.score = std::exp(ratio.value);
  if (ratio.freedom == 0) return;
  row.score_low = std::exp(ratio.value - half_width(ratio, alpha));
  row.score_high = std::exp(ratio.value + half_width(ratio, alpha));
}

}  // namespace

Ranking rank(const std::vector<Candidate>& candidates, const std::string& baseline_name,
             const std::string& twin_name) {
  const Candidate* baseline = find(candidates, baseline_name);
  if (!baseline) throw std::invalid_argument("no candidate is the baseline '" + baseline_name + "'");
  refuse_nonsense(candidates, *baseline);

  Ranking ranking{.delta = delta_of(baseline, find(candidates, twin_name)), .rows = {}};
  std::vector<const Candidate*> scored;
  std::vector<Row> unscored;
  for (const Candidate& candidate : candidates) {
    if (candidate.name == twin_name) continue;
    if (finished(candidate)) {
      scored.push_back(&candidate);
    } else {
      unscored.push_back({.name = candidate.name, .undecided = {}});
    }
  }
  // The order of scores, and defined also where the baseline has none.
  std::ranges::stable_sort(scored, {}, [](const Candidate* candidate) { return mean_log(*candidate); });
  for (const Candidate* candidate : scored) {
    ranking.rows.push_back({.name = candidate->name, .scored = true, .undecided = {}});
    if (finished(*baseline)) score(ranking.rows.back(), *candidate, *baseline);
  }
  compare(ranking.rows, scored, ranking.delta, static_cast<int>(baseline->times.front().size()));
  std::ranges::stable_sort(ranking.rows, {}, &Row::rank);
  ranking.rows.insert(ranking.rows.end(), std::make_move_iterator(unscored.begin()),
                      std::make_move_iterator(unscored.end()));
  return ranking;
}

}  // namespace podium::rank
