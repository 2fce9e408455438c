// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/yaml/schema.hpp"

#include <string>

namespace podium::problem {

using json = nlohmann::ordered_json;

json reference_to(std::string_view definition) {
  return {{"$ref", "#/definitions/" + std::string(definition)}};
}

json type_of(std::string_view holds) {
  const auto parts = alternatives(holds);
  if (parts.size() > 1) {
    json any = json::array();
    for (const std::string_view part : parts) any.push_back(type_of(part));
    return {{"anyOf", any}};
  }
  const std::string_view inner = holds.substr(1, holds.size() - 2);
  if (holds.starts_with('[')) return {{"type", "array"}, {"items", type_of(inner)}};
  if (holds.starts_with('{')) return {{"type", "object"}, {"additionalProperties", type_of(inner)}};
  return reference_to(holds);
}

json object_of(const Form& form) {
  json properties = json::object(), needed = json::array();
  for (const Key& key : form.keys) {
    properties[key.name] = {{"description", key.says}, {"allOf", json::array({type_of(key.holds)})}};
    if (key.needed) needed.push_back(key.name);
  }
  json schema{{"description", form.says}, {"type", "object"}, {"properties", properties}};
  if (!needed.empty()) schema["required"] = needed;
  for (const std::string& key : form.one_of) schema["oneOf"].push_back({{"required", json::array({key})}});
  schema["additionalProperties"] = form.others.empty() ? json(false) : type_of(form.others);
  return schema;
}

}  // namespace podium::problem
