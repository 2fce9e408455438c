// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What `podium calibrate` found out about a device, on disk: results/<device>/calibration.json.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suite/record/provenance.hpp"

namespace podium::record {

inline constexpr int calibration_schema = 1;

struct Quantity {
  std::string name;  // "copy", "fma_f32", "matrix_bf16", "launch" ...: contest/calibrate.cpp has them all
  std::string unit;  // "B/s", "FLOP/s", "op/s" of integers, "s", or "" for a ratio
  double value = 0, low = 0, high = 0;  // median and its 95 % interval
  int samples = 0;                      // 0: not measured, `note` says why
  std::string note;                     // what is worth knowing of how: the library and the size
  bool operator==(const Quantity&) const = default;
};

struct Calibration {
  Provenance provenance;  // boards, contestants and seeds are empty
  std::vector<Quantity> quantities;

  const Quantity* find(std::string_view name) const;  // nullptr: not there, or not measured
};

nlohmann::json to_json(const Calibration& calibration);
// Throws podium::Error naming the field: another schema, a quantity without name, a value that is none.
// `file` leads the sentence.
Calibration calibration_from(const nlohmann::json& json, const std::string& file);

std::filesystem::path calibration_file(const std::filesystem::path& results, const DeviceKey& key);
// Makes the folder, replaces the file. Throws podium::Error.
void write_calibration(const std::filesystem::path& file, const Calibration& calibration);
Calibration read_calibration(const std::filesystem::path& file);  // throws podium::Error

}  // namespace podium::record
