// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The rounds of one board that several shards measured, numbered as if one had.
#pragma once
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace podium::cluster {

class Rounds {
 public:
  // A timed entry of the shard with that number, from 0.
  void add(std::size_t shard, const std::string& contestant, bool twin, const std::string& workload,
           int round);
  // A contestant that failed on any shard takes no part in rounds.
  void put_out(const std::string& contestant) { out_.insert(contestant); }

  // Gives numbers. A complete round has every contestant, and the baseline's twin, on every workload: ranks
  // compare within such blocks. These come first, shard by shard; what is left of others follows.
  void number();
  int of(std::size_t shard, int round) const { return numbers_.at({shard, round}); }
  int complete(std::size_t shard) const;  // how many of a shard's

 private:
  std::map<std::tuple<std::string, bool, std::string>, std::set<std::pair<std::size_t, int>>> measured_;
  std::set<std::pair<std::size_t, int>> all_;
  std::set<std::string> out_;
  std::map<std::pair<std::size_t, int>, int> numbers_;
  std::map<std::size_t, int> complete_;
};

}  // namespace podium::cluster
