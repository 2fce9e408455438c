// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/base/nearest.hpp"
#include "suite/cluster/json_file.hpp"
#include "suite/cluster/plan.hpp"
#include "suite/record/fields.hpp"

namespace podium::cluster {
namespace {

constexpr std::array<std::pair<Standing, std::string_view>, 5> all_standings{
    {{Standing::waiting, "waiting"},
     {Standing::running, "running"},
     {Standing::done, "done"},
     {Standing::failed, "failed"},
     {Standing::cancelled, "cancelled"}}};

std::filesystem::path state_file(const std::filesystem::path& campaign, const std::string& shard) {
  return shard_folder(campaign, shard) / "state.json";
}

}  // namespace

std::string_view name_of(Standing standing) {
  return std::ranges::find(all_standings, standing, &std::pair<Standing, std::string_view>::first)->second;
}

std::optional<Standing> standing_named(std::string_view name) {
  const auto* const found =
      std::ranges::find(all_standings, name, &std::pair<Standing, std::string_view>::second);
  return found == all_standings.end() ? std::nullopt : std::optional(found->first);
}

State read_state(const std::filesystem::path& campaign, const std::string& shard) {
  const auto file = state_file(campaign, shard);
  State state;
  if (!std::filesystem::exists(file)) return state;
  const auto json = read_json(
      file,
      fmt::format("remove it, and `podium cluster submit {}` begins the shard again", campaign.string()));
  const record::Fields fields(json, file.string());
  std::string word;
  fields.need("state");
  fields.read("state", word);
  const auto standing = standing_named(word);
  if (!standing) {
    std::vector<std::string> names;
    for (const auto& [one, name] : all_standings) names.emplace_back(name);
    throw Error(fmt::format("{}: state: {}", file.string(), found_one_of(word, names)));
  }
  state.standing = *standing;
  for (const record::Fields& one : fields.list("visits")) {
    Visit& visit = state.visits.emplace_back();
    one.read("node", visit.node);
    one.read("device", visit.device);
    one.read("job", visit.job);
    one.read("started", visit.started);
  }
  fields.read("ended", state.ended);
  fields.read("why", state.why);
  return state;
}

void write_state(const std::filesystem::path& campaign, const std::string& shard, const State& state) {
  auto visits = nlohmann::json::array();
  for (const Visit& visit : state.visits)
    visits.push_back(
        {{"node", visit.node}, {"device", visit.device}, {"job", visit.job}, {"started", visit.started}});
  write_json(state_file(campaign, shard), {{"state", name_of(state.standing)},
                                           {"attempts", state.attempts()},
                                           {"visits", std::move(visits)},
                                           {"ended", state.ended},
                                           {"why", state.why}});
}

}  // namespace podium::cluster
