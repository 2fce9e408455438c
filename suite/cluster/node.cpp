// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <system_error>
#include <tuple>

#include "suite/base/error.hpp"
#include "suite/cluster/json_file.hpp"
#include "suite/record/fields.hpp"

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;

constexpr int node_version = 1;

nlohmann::json to_json(const NodeRecord& record) {
  auto readings = nlohmann::json::array();
  for (const Reading& reading : record.readings)
    readings.push_back({{"shard", reading.shard},
                        {"recorded", reading.recorded},
                        {"canary_us", record::numbers(reading.canary)},
                        {"common_us", record::numbers(reading.common)}});
  return {{"podium_node", node_version},
          {"node", record.node},
          {"device", record.device},
          {"type", record::to_json(record.key)},
          {"environment", record.environment},
          {"common",
           {{"problem", record.problem},
            {"types", record.types},
            {"workload", record.workload},
            {"contestant", record.contestant}}},
          {"readings", std::move(readings)}};
}

NodeRecord read_node(const fs::path& file) {
  const auto json = read_json(file, "remove it, and the next shard on that device writes it again");
  const record::Fields fields(json, file.string());
  for (const char* key : {"node", "device", "type", "readings"}) fields.need(key);
  NodeRecord record;
  fields.read("node", record.node);
  fields.read("device", record.device);
  record.key = record::device_from(*fields.find("type"), file.string() + ": type");
  if (const auto* environment = fields.find("environment")) {
    const record::Fields named(*environment, file.string() + ": environment");
    for (const auto& [name, value] : environment->items()) named.read(name.c_str(), record.environment[name]);
  }
  if (const auto* common = fields.find("common")) {
    const record::Fields of(*common, file.string() + ": common");
    of.read("problem", record.problem);
    of.read("types", record.types);
    of.read("workload", record.workload);
    of.read("contestant", record.contestant);
  }
  for (const record::Fields& one : fields.list("readings")) {
    Reading& reading = record.readings.emplace_back();
    one.read("shard", reading.shard);
    one.read("recorded", reading.recorded);
    one.read("canary_us", reading.canary);
    one.read("common_us", reading.common);
  }
  return record;
}

// Of a file's name.
std::string word_of(const std::string& text) {
  std::string word = text;
  for (char& c : word)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.' && c != '_' && c != '-') c = '_';
  return word;
}

}  // namespace

fs::path node_file(const fs::path& campaign, const NodeRecord& record) {
  return campaign / "nodes" / fmt::format("{}-{}.json", word_of(record.node), word_of(record.device));
}

void add_readings(const fs::path& campaign, const NodeRecord& record) {
  const fs::path file = node_file(campaign, record);
  NodeRecord all = record;
  if (fs::exists(file)) {
    all.readings = read_node(file).readings;
    all.readings.insert(all.readings.end(), record.readings.begin(), record.readings.end());
  }
  write_json(file, to_json(all));
}

NodeRecords read_nodes(const fs::path& campaign) {
  NodeRecords records;
  std::error_code none;  // no shard has begun
  for (const auto& entry : fs::directory_iterator(campaign / "nodes", none)) {
    if (entry.path().extension() != ".json") continue;
    try {
      records.nodes.push_back(read_node(entry.path()));
    } catch (const Error& e) {
      records.unreadable.emplace_back(e.what());
    }
  }
  std::ranges::sort(records.nodes, {}, [](const NodeRecord& r) { return std::tie(r.node, r.device); });
  std::ranges::sort(records.unreadable);
  return records;
}

}  // namespace podium::cluster
