// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Provenance as run.json holds it, and back.
#include "suite/record/provenance.hpp"

#include <fmt/format.h>
#include <algorithm>

#include <charconv>

#include "suite/base/error.hpp"
#include "suite/record/fields.hpp"
#include "suite/record/record.hpp"

namespace podium::record {
namespace {

std::string hexadecimal(std::uint64_t number) { return fmt::format("{:016x}", number); }

std::uint64_t number_from(const char* key, const std::string& text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 16);
  if (error != std::errc() || end != text.data() + text.size())
    throw Error(fmt::format("run.json: field '{}' is '{}', expected 16 hexadecimal digits", key, text));
  return number;
}

nlohmann::json to_json(const Compiler& c) {
  return {{"backend", c.backend}, {"version", c.version}, {"flags", c.flags}};
}

nlohmann::json to_json(const ContestantRecord& c) {
  nlohmann::json json = {{"problem", c.problem}, {"name", c.name},     {"title", c.title},
                         {"author", c.author},   {"source", c.source}, {"kind", c.kind},
                         {"tier", c.tier},       {"file", c.file},     {"sha256", c.sha256}};
  if (!c.included.empty()) json["included"] = c.included;
  if (!c.text_sha256.empty()) json["text_sha256"] = c.text_sha256;
  if (!c.runtime.empty()) json["runtime"] = c.runtime;
  return json;
}

nlohmann::json to_json(const BoardRecord& b) {
  nlohmann::json json{{"problem", b.problem},    {"title", b.title},       {"types", b.types},
                      {"stage", b.stage},        {"baseline", b.baseline}, {"sha256", b.sha256},
                      {"workloads", b.workloads}};
  if (b.empty_call >= 0) json["empty_call"] = number(b.empty_call);
  if (b.judge_overhead >= 0) json["judge_overhead"] = number(b.judge_overhead);
  if (b.tolerance >= 0) json["tolerance"] = number(b.tolerance);
  if (b.seconds >= 0) json["seconds"] = number(b.seconds);
  if (b.verification_seconds >= 0) json["verification_seconds"] = number(b.verification_seconds);
  json["contestants"] = b.contestants;
  if (b.series > 0) json["series"] = b.series;
  if (!b.files.empty()) json["files"] = b.files;
  return json;
}

nlohmann::json to_json(const measure::Stopping& s) {
  return {
      {"least", s.least}, {"most", s.most}, {"relative", number(s.relative)}, {"budget", number(s.budget)}};
}

nlohmann::json to_json(const Segment& segment);

template <class T>
nlohmann::json list_of(const std::vector<T>& items) {
  auto list = nlohmann::json::array();
  for (const T& item : items) list.push_back(to_json(item));
  return list;
}

nlohmann::json to_json(const Segment& s) {
  nlohmann::json json{{"podium", s.podium},
                      {"commit", s.commit},
                      {"command", s.command},
                      {"started", s.started},
                      {"order_seed", hexadecimal(s.order_seed)},
                      {"wall_seconds", number(s.wall_seconds)},
                      {"ended", s.ended},
                      {"replaced", list_of(s.replaced)}};
  for (const auto& [key, value] :
       {std::pair("shard", &s.shard), {"node", &s.node}, {"device", &s.device}, {"sick", &s.sick}})
    if (!value->empty()) json[key] = *value;
  return json;
}

Compiler compiler_from(const Fields& fields) {
  Compiler c;
  fields.read("backend", c.backend);
  fields.read("version", c.version);
  fields.read("flags", c.flags);
  return c;
}

ContestantRecord contestant_from(const Fields& fields) {
  ContestantRecord c;
  fields.read("problem", c.problem);
  fields.read("name", c.name);
  fields.read("title", c.title);
  fields.read("author", c.author);
  fields.read("source", c.source);
  fields.read("kind", c.kind);
  fields.read("tier", c.tier);
  fields.read("file", c.file);
  fields.read("sha256", c.sha256);
  fields.read("text_sha256", c.text_sha256);
  fields.read("runtime", c.runtime);
  if (const auto* included = fields.find("included")) {
    const Fields named(*included, "run.json: included");
    for (const auto& [name, hash] : included->items()) named.read(name.c_str(), c.included[name]);
  }
  return c;
}

BoardRecord board_from(const Fields& fields) {
  BoardRecord b;
  fields.read("problem", b.problem);
  fields.read("title", b.title);
  fields.read("types", b.types);
  fields.read("stage", b.stage);
  fields.read("baseline", b.baseline);
  fields.read("sha256", b.sha256);
  fields.read("workloads", b.workloads);
  fields.read("empty_call", b.empty_call);
  fields.read("judge_overhead", b.judge_overhead);
  fields.read("tolerance", b.tolerance);
  fields.read("seconds", b.seconds);
  fields.read("verification_seconds", b.verification_seconds);
  fields.read("contestants", b.contestants);
  fields.read("series", b.series);
  if (const auto* files = fields.find("files")) {
    const Fields named(*files, "run.json: files");
    for (const auto& [name, hash] : files->items()) named.read(name.c_str(), b.files[name]);
  }
  return b;
}

measure::Stopping stopping_from(const Fields& fields) {
  measure::Stopping s;
  fields.read("least", s.least);
  fields.read("most", s.most);
  fields.read("relative", s.relative);
  fields.read("budget", s.budget);
  return s;
}

std::uint64_t order_seed_from(const Fields& fields) {
  std::string order_seed = hexadecimal(0);
  fields.read("order_seed", order_seed);
  return number_from("order_seed", order_seed);
}

Segment segment_from(const Fields& fields) {
  Segment s;
  fields.read("podium", s.podium);
  fields.read("commit", s.commit);
  fields.read("command", s.command);
  fields.read("started", s.started);
  s.order_seed = order_seed_from(fields);
  fields.read("wall_seconds", s.wall_seconds);
  fields.read("ended", s.ended);
  for (const Fields& contestant : fields.list("replaced")) s.replaced.push_back(contestant_from(contestant));
  fields.read("shard", s.shard);
  fields.read("node", s.node);
  fields.read("device", s.device);
  fields.read("sick", s.sick);
  return s;
}

}  // namespace

nlohmann::json to_json(const DeviceKey& key) {
  return {{"backend", key.backend},  {"product", key.product},     {"architecture", key.architecture},
          {"memory", key.memory},    {"partition", key.partition}, {"power_cap", number(key.power_cap)},
          {"emulated", key.emulated}};
}

DeviceKey device_from(const nlohmann::json& json, const std::string& what) {
  const Fields fields(json, what);
  DeviceKey key;
  fields.read("backend", key.backend);
  fields.read("product", key.product);
  fields.read("architecture", key.architecture);
  fields.read("memory", key.memory);
  fields.read("partition", key.partition);
  fields.read("power_cap", key.power_cap);
  key.emulated = key.product.ends_with("(emulated)");  // older records say it there alone
  fields.read("emulated", key.emulated);
  return key;
}

bool attested(const Provenance& p) {
  const auto held = [&](const char* name) { return std::ranges::find(p.sandbox, name) != p.sandbox.end(); };
  return held("uid") && held("seccomp");
}

nlohmann::json to_json(const Provenance& p) {
  auto secrets = nlohmann::json::array();
  for (const std::uint64_t secret : p.secrets) secrets.push_back(hexadecimal(secret));
  nlohmann::json json{{"schema", schema},
                      {"podium", p.podium},
                      {"commit", p.commit},
                      {"command", p.command},
                      {"started", p.started},
                      {"device", to_json(p.device)},
                      {"driver", p.driver},
                      {"multiprocessors", p.multiprocessors},
                      {"last_level_cache", p.last_level_cache},
                      {"cpu", p.cpu},
                      {"kernel", p.kernel},
                      {"compilers", list_of(p.compilers)},
                      {"contestants", list_of(p.contestants)},
                      {"boards", list_of(p.boards)},
                      {"sandbox", p.sandbox},
                      {"sandbox_without", p.sandbox_without},
                      {"order_seed", hexadecimal(p.order_seed)},
                      {"rounds", p.rounds},
                      {"isolated", p.isolated},
                      {"columns", p.columns},
                      {"energy", p.energy},
                      {"stopping", to_json(p.stopping)},
                      {"filter", p.filter},
                      {"caches", p.caches},
                      {"copy_bytes_per_second", number(p.copy_bytes_per_second)},
                      {"read_bytes_per_second", number(p.read_bytes_per_second)},
                      {"write_bytes_per_second", number(p.write_bytes_per_second)},
                      {"calibrated", p.calibrated},
                      {"arithmetic", p.arithmetic},
                      {"wall_seconds", number(p.wall_seconds)},
                      {"ended", p.ended},
                      {"spent", to_json(p.spent)},
                      {"secrets", std::move(secrets)}};
  if (!p.segments.empty()) json["segments"] = list_of(p.segments);
  return json;
}

Provenance provenance_from(const nlohmann::json& json) {
  const Fields fields(json, "run.json");
  Provenance p;
  fields.read("podium", p.podium);
  fields.read("commit", p.commit);
  fields.read("command", p.command);
  fields.read("started", p.started);
  if (const auto* device = fields.find("device")) p.device = device_from(*device, "run.json: device");
  fields.read("driver", p.driver);
  fields.read("multiprocessors", p.multiprocessors);
  fields.read("last_level_cache", p.last_level_cache);
  fields.read("cpu", p.cpu);
  fields.read("kernel", p.kernel);
  for (const Fields& compiler : fields.list("compilers")) p.compilers.push_back(compiler_from(compiler));
  for (const Fields& contestant : fields.list("contestants"))
    p.contestants.push_back(contestant_from(contestant));
  for (const Fields& board : fields.list("boards")) p.boards.push_back(board_from(board));
  fields.read("sandbox", p.sandbox);
  if (const auto* without = fields.find("sandbox_without")) {
    const Fields named(*without, "run.json: sandbox_without");
    for (const auto& [name, why] : without->items()) named.read(name.c_str(), p.sandbox_without[name]);
  }
  p.order_seed = order_seed_from(fields);
  fields.read("rounds", p.rounds);
  fields.read("isolated", p.isolated);
  fields.read("columns", p.columns);
  fields.read("energy", p.energy);
  fields.read("filter", p.filter);
  if (const auto* stopping = fields.find("stopping"))
    p.stopping = stopping_from(Fields(*stopping, "run.json: stopping"));
  p.caches.clear();  // older runs do not say
  fields.read("caches", p.caches);
  fields.read("copy_bytes_per_second", p.copy_bytes_per_second);
  fields.read("read_bytes_per_second", p.read_bytes_per_second);
  fields.read("write_bytes_per_second", p.write_bytes_per_second);
  fields.read("calibrated", p.calibrated);
  if (const auto* rates = fields.find("arithmetic")) {
    const Fields named(*rates, "run.json: arithmetic");
    for (const auto& [name, rate] : rates->items()) named.read(name.c_str(), p.arithmetic[name]);
  }
  fields.read("wall_seconds", p.wall_seconds);
  fields.read("ended", p.ended);
  if (const auto* spent = fields.find("spent")) p.spent = spent_from(*spent);
  std::vector<std::string> secrets;
  fields.read("secrets", secrets);
  for (const std::string& secret : secrets) p.secrets.push_back(number_from("secrets", secret));
  for (const Fields& segment : fields.list("segments")) p.segments.push_back(segment_from(segment));
  return p;
}

}  // namespace podium::record
