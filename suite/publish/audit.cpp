// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/publish/audit.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "suite/record/fields.hpp"
#include "suite/report/run_notes.hpp"

namespace podium::publish {
namespace {

using nlohmann::json;
using record::Entry;

bool verifies(const Entry& entry) { return entry.round < 0; }

// A contestant on a board.
using Key = std::tuple<std::string, std::string, std::string>;
Key key_of(const Entry& entry) { return {entry.problem, entry.types, entry.contestant}; }

json named(const Key& key) {
  const auto& [problem, types, contestant] = key;
  return {{"problem", problem}, {"types", types}, {"contestant", contestant}};
}

// Of each contestant on each board: the judge's words on every workload on which it was right.
json verified_in(const record::Run& run) {
  std::map<Key, json> all;
  for (const Entry& entry : run.entries) {
    if (!verifies(entry) || entry.verdict != Verdict::right) continue;
    json& one = all.try_emplace(key_of(entry), named(key_of(entry))).first->second;
    one["emulated"] = one.value("emulated", false) || entry.emulated;
    one["workloads"].push_back({{"workload", entry.workload},
                                {"stage", entry.stage},
                                {"worst_error", record::number(entry.worst)},
                                {"left_out", entry.left_out},
                                {"checked", record::to_json(entry.checked)},
                                {"text", entry.text}});
  }
  json list = json::array();
  for (auto& [key, one] : all) list.push_back(std::move(one));
  return list;
}

// Entries with another verdict than right; those that say the same of a contestant are one, with their count.
json refused_in(const record::Run& run) {
  std::map<std::pair<Key, std::string>, json> all;
  std::vector<std::pair<Key, std::string>> order;
  for (const Entry& entry : run.entries) {
    if (entry.verdict == Verdict::right) continue;
    const std::pair what(key_of(entry), std::string(entry.verdict.word()) + '\n' + entry.text);
    const auto [found, fresh] = all.try_emplace(what, named(what.first));
    json& one = found->second;
    if (fresh) {
      order.push_back(what);
      one["verdict"] = entry.verdict.word();
      one["text"] = entry.text;
      one["failure"] = record::failed(entry.verdict);
      one["count"] = 0;
      one["workloads"] = json::array();
    }
    one["count"] = one["count"].get<int>() + 1;
    if (!entry.workload.empty() &&
        std::ranges::find(one["workloads"], json(entry.workload)) == one["workloads"].end())
      one["workloads"].push_back(entry.workload);
  }
  json list = json::array();
  for (const auto& what : order) list.push_back(std::move(all.at(what)));
  return list;
}

json excused_in(const record::Run& run) {
  json list = json::array();
  for (const Entry& entry : run.entries) {
    if (entry.excused.empty()) continue;
    json& one = list.emplace_back(named(key_of(entry)));
    one["workload"] = entry.workload;
    one["text"] = entry.excused;
  }
  return list;
}

}  // namespace

json audit_of(const record::Run& run, const record::Provenance& provenance) {
  std::map<std::string, int> verdicts;
  std::int64_t verified = 0, timed = 0, samples = 0, discarded = 0, slow = 0, judged = 0, left_out = 0;
  double worst = 0;
  record::Checked checked;
  for (const Entry& entry : run.entries) {
    ++verdicts[std::string(entry.verdict.word())];
    ++(verifies(entry) ? verified : timed);
    samples += std::ssize(entry.microseconds);
    discarded += entry.discarded;
    slow += entry.slow;
    judged += entry.judged;
    left_out += entry.left_out;
    checked += entry.checked;
    if (entry.verdict == Verdict::right) worst = std::max(worst, entry.worst);
  }
  const std::string unattested = report::unattested_text(provenance);
  return {{"attested", unattested.empty()},
          {"unattested", unattested},
          {"entries", run.entries.size()},
          {"verdicts", verdicts},
          {"verifications", verified},
          {"timed_entries", timed},
          {"samples", samples},
          {"discarded", discarded},
          {"slow", slow},
          {"judged", judged},
          {"left_out", left_out},
          {"checked", record::to_json(checked)},
          {"worst_error", record::number(worst)},
          {"seeds_revealed", !provenance.secrets.empty()},
          {"verified", verified_in(run)},
          {"refused", refused_in(run)},
          {"excused", excused_in(run)}};
}

json series_of(const record::Run& run) {
  json clocks = json::array(), temperatures = json::array(), powers = json::array();
  for (const Entry& entry : run.entries) {
    const record::Reading& end = entry.telemetry.end;
    if (verifies(entry) || !(end.sm_clock_mhz || end.temperature_c || end.power_w)) continue;
    clocks.push_back(record::number(end.sm_clock_mhz));
    temperatures.push_back(record::number(end.temperature_c));
    powers.push_back(record::number(end.power_w));
  }
  return {{"clock_mhz", std::move(clocks)},
          {"temperature_c", std::move(temperatures)},
          {"power_w", std::move(powers)}};
}

}  // namespace podium::publish
