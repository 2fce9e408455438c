// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Problem files held against the schema for editors by Valijson, a validator by others, where it is
// installed.
#pragma once
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "suite/problem/parse/schema.hpp"
#include "suite/problem/yaml/cursor.hpp"
#include "suite/problem/yaml/yaml.hpp"

#if __has_include(<valijson/validator.hpp>)
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#define PODIUM_HAS_VALIJSON 1
#endif

namespace podium::problem {

// A node as JSON, by YAML's core schema.
inline nlohmann::json to_json(const yaml::Node& node) {
  using nlohmann::json;
  if (node.kind == yaml::Node::Kind::null) return nullptr;
  if (node.kind == yaml::Node::Kind::scalar) {
    if (!node.quoted) {
      if (const auto number = core_number(node.text)) {
        // By JSON Schema 1e9 is an integer too.
        const bool exact = number->value == std::floor(number->value) &&
                           std::abs(number->value) <= static_cast<double>(largest_whole);
        return exact ? json(static_cast<std::int64_t>(number->value)) : json(number->value);
      }
      if (node.text == "true" || node.text == "false") return node.text == "true";
    }
    return node.text;
  }
  json all = node.kind == yaml::Node::Kind::list ? json::array() : json::object();
  for (const yaml::Node& child : node.children)
    node.kind == yaml::Node::Kind::list ? all.push_back(to_json(child))
                                        : (void)(all[child.key] = to_json(child));
  return all;
}

#ifdef PODIUM_HAS_VALIJSON
// What the schema holds against the text: "" if nothing.
inline std::string held_against(const std::string& source) {
  using nlohmann::json;
  static const json root = json::parse(schema());
  static const std::unique_ptr<valijson::Schema> compiled = [] {
    auto made = std::make_unique<valijson::Schema>();
    valijson::SchemaParser(valijson::SchemaParser::kDraft7)
        .populateSchema(valijson::adapters::NlohmannJsonAdapter(root), *made);
    return made;
  }();
  const json target = to_json(yaml::parse(source, "p.yaml"));
  valijson::ValidationResults results;
  if (valijson::Validator().validate(*compiled, valijson::adapters::NlohmannJsonAdapter(target), &results))
    return "";
  std::string all;
  for (valijson::ValidationResults::Error error; results.popError(error);) {
    for (const std::string& part : error.context) all += part;
    all += ": " + error.description + "\n";
  }
  return all;
}
#endif

}  // namespace podium::problem
