// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// JSON held against a JSON Schema by Valijson, a validator by others, where it is installed.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#if __has_include(<valijson/validator.hpp>)
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#define PODIUM_HAS_VALIJSON 1
#endif

namespace podium::test {

inline constexpr const char* needs_valijson =
    "needs Valijson: run scripts/setup, or install libvalijson-dev, and build again";

#ifdef PODIUM_HAS_VALIJSON
class JsonSchema {
 public:
  explicit JsonSchema(const std::string& text) : root_(nlohmann::json::parse(text)) {
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(root_), compiled_);
  }

  // What it holds against `target`: "" if nothing.
  std::string held_against(const nlohmann::json& target) const {
    valijson::ValidationResults results;
    if (valijson::Validator().validate(compiled_, valijson::adapters::NlohmannJsonAdapter(target), &results))
      return "";
    std::string all;
    for (valijson::ValidationResults::Error error; results.popError(error);) {
      for (const std::string& part : error.context) all += part;
      all += ": " + error.description + "\n";
    }
    return all;
  }

 private:
  nlohmann::json root_;
  valijson::Schema compiled_;
};
#endif

}  // namespace podium::test
