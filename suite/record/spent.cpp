// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/record/spent.hpp"

#include <array>
#include <utility>

#include "suite/record/fields.hpp"

namespace podium::record {
namespace {

constexpr std::array<std::pair<const char*, double Spent::*>, 9> parts{{{"building", &Spent::building},
                                                                        {"rehearsals", &Spent::rehearsals},
                                                                        {"starts", &Spent::starts},
                                                                        {"warm_ups", &Spent::warm_ups},
                                                                        {"calls", &Spent::calls},
                                                                        {"fills", &Spent::fills},
                                                                        {"checks", &Spent::checks},
                                                                        {"waits", &Spent::waits},
                                                                        {"canaries", &Spent::canaries}}};

}  // namespace

double Spent::sum() const {
  double all = 0;
  for (const auto& [name, part] : parts) all += this->*part;
  return all;
}

Spent& Spent::operator+=(const Spent& other) {
  for (const auto& [name, part] : parts) this->*part += other.*part;
  samples += other.samples;
  return *this;
}

nlohmann::json to_json(const Spent& spent) {
  nlohmann::json json{{"samples", spent.samples}, {"wait_microseconds", number(spent.wait)}};
  for (const auto& [name, part] : parts) json[name] = number(spent.*part);
  return json;
}

Spent spent_from(const nlohmann::json& json) {
  const Fields fields(json, "run.json: spent");
  Spent spent;
  for (const auto& [name, part] : parts) fields.read(name, spent.*part);
  fields.read("samples", spent.samples);
  fields.read("wait_microseconds", spent.wait);
  return spent;
}

}  // namespace podium::record
