// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/rounds.hpp"

#include <algorithm>

namespace podium::cluster {

void Rounds::add(std::size_t shard, const std::string& contestant, bool twin, const std::string& workload,
                 int round) {
  measured_[{contestant, twin, workload}].emplace(shard, round);
  all_.emplace(shard, round);
}

void Rounds::number() {
  std::vector<std::pair<std::size_t, int>> rest;
  int next = 0;
  for (const auto& round : all_) {
    const bool whole = std::ranges::all_of(measured_, [&](const auto& one) {
      return out_.contains(std::get<0>(one.first)) || one.second.contains(round);
    });
    if (whole) {
      numbers_[round] = next++;
      ++complete_[round.first];
    } else {
      rest.push_back(round);
    }
  }
  for (const auto& round : rest) numbers_[round] = next++;
}

int Rounds::complete(std::size_t shard) const {
  const auto found = complete_.find(shard);
  return found == complete_.end() ? 0 : found->second;
}

}  // namespace podium::cluster
