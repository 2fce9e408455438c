// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A device that took part in a campaign: nodes/NODE-DEVICE.json of the campaign's folder.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "suite/record/provenance.hpp"

namespace podium::cluster {

// What one attempt at a shard found of the device.
struct Reading {
  std::string shard, recorded;         // record::utc()
  std::vector<double> canary, common;  // microseconds: the canary's samples, those of the common contestant
};

struct NodeRecord {
  std::string node, device;  // the device's UUID; of the host "host"
  record::DeviceKey key;     // its type
  // "driver", "sm_clock_mhz", "memory_clock_mhz", "ecc", "mig", "persistence", "power_cap_w", "governor" ...
  std::map<std::string, std::string> environment;
  std::string problem, types, workload, contestant;  // of the common contestant
  std::vector<Reading> readings;
};

std::filesystem::path node_file(const std::filesystem::path& campaign, const NodeRecord& record);

// Adds the readings of `record` to those on record; everything else is as `record` has it. Throws
// podium::Error.
void add_readings(const std::filesystem::path& campaign, const NodeRecord& record);

struct NodeRecords {
  std::vector<NodeRecord> nodes;        // by node, then device
  std::vector<std::string> unreadable;  // a sentence for each file that cannot be read
};
NodeRecords read_nodes(const std::filesystem::path& campaign);

}  // namespace podium::cluster
