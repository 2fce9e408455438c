// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/record/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "suite/base/error.hpp"
#include "suite/base/file_text.hpp"
#include "suite/record/fields.hpp"
#include "suite/record/record.hpp"
#include "suite/record/schema.hpp"
#include "suite/record/validator.hpp"

namespace podium::record {
namespace {

nlohmann::json to_json(const Quantity& q) {
  nlohmann::json json{{"name", q.name}, {"unit", q.unit}, {"samples", q.samples}};
  if (q.samples > 0)
    json.update({{"value", number(q.value)}, {"low", number(q.low)}, {"high", number(q.high)}});
  if (!q.note.empty()) json["note"] = q.note;
  return json;
}

Quantity quantity_from(const Fields& fields, const std::string& where) {
  Quantity q;
  fields.need("name");
  fields.need("unit");
  fields.need("samples");
  fields.read("name", q.name);
  fields.read("unit", q.unit);
  fields.read("samples", q.samples);
  fields.read("note", q.note);
  if (q.samples < 0)
    throw Error(fmt::format("{}: {} has {} samples, expected 0 or more", where, q.name, q.samples));
  if (q.samples == 0) return q;
  for (const char* key : {"value", "low", "high"}) fields.need(key);
  fields.read("value", q.value);
  fields.read("low", q.low);
  fields.read("high", q.high);
  const bool ordered = 0 <= q.low && q.low <= q.value && q.value <= q.high && std::isfinite(q.high);
  if (!ordered)
    throw Error(fmt::format("{}: {} is {} in [{}, {}], expected finite numbers in order", where, q.name,
                            q.value, q.low, q.high));
  return q;
}

}  // namespace

const Quantity* Calibration::find(std::string_view name) const {
  const auto found = std::ranges::find(quantities, name, &Quantity::name);
  return found == quantities.end() || found->samples == 0 ? nullptr : &*found;
}

nlohmann::json to_json(const Calibration& calibration) {
  auto quantities = nlohmann::json::array();
  for (const Quantity& quantity : calibration.quantities) quantities.push_back(to_json(quantity));
  auto provenance = to_json(calibration.provenance);
  // Of runs alone.
  for (const char* key :
       {"schema", "arithmetic", "boards", "calibrated", "columns", "contestants", "copy_bytes_per_second",
        "energy", "filter", "isolated", "order_seed", "rounds", "sandbox", "secrets", "stopping"})
    provenance.erase(key);
  return {{"schema", calibration_schema},
          {"provenance", std::move(provenance)},
          {"quantities", std::move(quantities)}};
}

Calibration calibration_from(const nlohmann::json& json, const std::string& file) {
  const Fields fields(json, file);
  for (const char* key : {"schema", "provenance", "quantities"}) fields.need(key);
  int schema = 0;
  fields.read("schema", schema);
  if (schema != calibration_schema)
    throw Error(fmt::format("{}: schema {}, expected {}; run `podium calibrate` again", file, schema,
                            calibration_schema));
  Calibration calibration;
  try {
    Validator(run_forms()).check(*fields.find("provenance"));
    calibration.provenance = provenance_from(*fields.find("provenance"));
  } catch (const Error& e) {
    throw Error(fmt::format("{}: provenance: {}", file, e.what()));
  }
  std::set<std::string> names;
  for (const Fields& quantity : fields.list("quantities")) {
    calibration.quantities.push_back(quantity_from(quantity, file));
    if (const auto& name = calibration.quantities.back().name; !names.insert(name).second)
      throw Error(fmt::format("{}: found {} twice, expected it once", file, name));
  }
  return calibration;
}

std::filesystem::path calibration_file(const std::filesystem::path& results, const DeviceKey& key) {
  return results / slug(key) / "calibration.json";
}

void write_calibration(const std::filesystem::path& file, const Calibration& calibration) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error)
    throw Error(fmt::format("{}: the folder cannot be created: {}; choose another with --results",
                            file.parent_path().string(), error.message()));
  write_file(file, to_json(calibration).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
}

namespace {

std::string calibration_text(const std::filesystem::path& file) {
  try {
    return whole_text_of(file);
  } catch (const Error& e) {
    throw Error(fmt::format("{}; `podium calibrate` writes such a file", e.what()));
  }
}

}  // namespace

Calibration read_calibration(const std::filesystem::path& file) {
  const auto json = nlohmann::json::parse(calibration_text(file), nullptr, false);
  if (json.is_discarded())
    throw Error(fmt::format("{}: is not JSON; run `podium calibrate` again", file.string()));
  return calibration_from(json, file.string());
}

}  // namespace podium::record
