// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Problem files held against the schema for editors by Valijson, a validator by others, where it is
// installed.
#pragma once
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "suite/problem/parse/schema.hpp"
#include "suite/problem/yaml/cursor.hpp"
#include "suite/problem/yaml/yaml.hpp"
#include "tests/json_schema.hpp"

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
  static const test::JsonSchema root(schema());
  return root.held_against(to_json(yaml::parse(source, "p.yaml")));
}
#endif

}  // namespace podium::problem
