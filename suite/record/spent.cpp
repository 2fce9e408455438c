// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/record/spent.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "suite/measure/samples.hpp"
#include "suite/record/fields.hpp"

namespace podium::record {

namespace {

constexpr auto shares = std::to_array<std::pair<const char*, double Spent::*>>({
    {"building", &Spent::building},
    {"copy_rate", &Spent::copy_rate},
    {"rehearsals", &Spent::rehearsals},
    {"starts", &Spent::starts},
    {"warm_ups", &Spent::warm_ups},
    {"columns", &Spent::columns},
    {"calls", &Spent::calls},
    {"fills", &Spent::fills},
    {"checks", &Spent::checks},
    {"waits", &Spent::waits},
    {"canaries", &Spent::canaries},
    {"readings", &Spent::readings},
    {"rests", &Spent::rests},
});

void read_parts(const nlohmann::json& json, const std::string& key, Wait& parts) {
  if (!json.contains(key)) return;
  const Fields fields(json.at(key), "run.json: spent: " + key);
  for (const auto& [name, part] : wait_parts) fields.read(std::string(name).c_str(), parts.*part);
}

}  // namespace

double Spent::sum() const {
  double all = 0;
  for (const auto& [name, part] : shares) all += this->*part;
  return all;
}

Spent& Spent::operator+=(const Spent& other) {
  for (const auto& [name, part] : shares) this->*part += other.*part;
  samples += other.samples;
  return *this;
}

nlohmann::json to_json(const Spent& spent) {
  nlohmann::json json{{"samples", spent.samples},
                      {"wait_microseconds", number(spent.wait)},
                      {"wait_unflushed_microseconds", number(spent.wait_unflushed)}};
  for (const auto& [name, part] : wait_parts) {
    json["wait_parts"][std::string(name)] = number(spent.parts.*part);
    json["wait_parts_unflushed"][std::string(name)] = number(spent.parts_unflushed.*part);
  }
  for (const auto& [name, part] : shares) json[name] = number(spent.*part);
  return json;
}

Spent spent_from(const nlohmann::json& json) {
  const Fields fields(json, "run.json: spent");
  Spent spent;
  for (const auto& [name, part] : shares) fields.read(name, spent.*part);
  fields.read("samples", spent.samples);
  fields.read("wait_microseconds", spent.wait);
  fields.read("wait_unflushed_microseconds", spent.wait_unflushed);
  read_parts(json, "wait_parts", spent.parts);
  read_parts(json, "wait_parts_unflushed", spent.parts_unflushed);
  return spent;
}

namespace {

template <class Of>
double median(std::span<const Wait> waits, bool flushed, const Of& of) {
  std::vector<double> values;
  for (const Wait& wait : waits)
    if (wait.flushed == flushed) values.push_back(of(wait));
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return measure::middle(values);
}

}  // namespace

Wait median_parts(std::span<const Wait> waits, bool flushed) {
  Wait result{.flushed = flushed};
  for (const auto& [name, part] : wait_parts)
    result.*part = median(waits, flushed, [&](const Wait& wait) { return wait.*part; });
  return result;
}

double median_wait(std::span<const Wait> waits, bool flushed) {
  return median(waits, flushed, [](const Wait& wait) { return wait.sum(); });
}

}  // namespace podium::record
