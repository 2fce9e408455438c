// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where a shard stands: shards/ID/state.json of a campaign's folder.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace podium::cluster {

enum class Standing { waiting, running, done, failed, cancelled };
std::string_view name_of(Standing standing);
std::optional<Standing> standing_named(std::string_view name);

// An attempt at a shard, on one device.
struct Visit {
  std::string node, device;  // the device's UUID; empty: not known
  std::string job;           // the scheduler's number of it; empty: there is no scheduler
  std::string started;       // record::utc()
};

struct State {
  Standing standing = Standing::waiting;
  std::vector<Visit> visits;  // the last is the one that runs, or ran
  std::string ended;          // record::utc(); empty: not yet
  std::string why;            // it failed or was cancelled

  int attempts() const { return static_cast<int>(visits.size()); }
};

// A shard that nobody has begun has no file and is waiting. Throws podium::Error.
State read_state(const std::filesystem::path& campaign, const std::string& shard);
void write_state(const std::filesystem::path& campaign, const std::string& shard, const State& state);

}  // namespace podium::cluster
