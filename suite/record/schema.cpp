// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/record/schema.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "suite/record/record.hpp"
#include "suite/record/scalar.hpp"

namespace podium::record {
namespace {

using json = nlohmann::ordered_json;

json type_of(const std::string& holds) {
  const std::string inner = holds.substr(1, holds.size() - 2);
  if (holds.starts_with('[')) return {{"type", "array"}, {"items", type_of(inner)}};
  if (holds.starts_with('{')) return {{"type", "object"}, {"additionalProperties", type_of(inner)}};
  return {{"$ref", "#/definitions/" + holds}};
}

json object_of(const FormOf& form, int version) {
  json properties = json::object(), needed = json::array();
  for (const FieldOf& field : form.fields) {
    properties[field.name] = {{"description", field.says}, {"allOf", json::array({type_of(field.holds)})}};
    if (field.needed && field.since <= version) needed.push_back(field.name);
  }
  json object{{"description", form.says}, {"type", "object"}, {"properties", properties}};
  if (!needed.empty()) object["required"] = needed;
  object["additionalProperties"] = form.others.empty() ? json(false) : type_of(form.others);
  return object;
}

std::string in_words(const std::string& holds) {
  const std::string inner = holds.substr(1, holds.size() - 2);
  if (holds.starts_with('[')) return "list of " + in_words(inner);
  if (holds.starts_with('{')) return "map to " + in_words(inner);
  return scalar(holds) ? holds : fmt::format("[{}](#{})", holds, holds);
}

}  // namespace

std::string schema_of(const std::vector<FormOf>& forms, const std::string& title) {
  json definitions;
  for (const ScalarOf& one : scalars()) definitions[one.name] = schema_of(one);
  for (std::size_t i = 1; i < forms.size(); ++i) definitions[forms[i].name] = object_of(forms[i], schema);
  json root{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", title}};
  root.update(object_of(forms.front(), oldest_schema));
  json newer = json::array();
  for (const FieldOf& field : forms.front().fields)
    if (field.needed && field.since > oldest_schema) newer.push_back(field.name);
  if (!newer.empty()) {
    root["if"] = {{"properties", {{"schema", {{"minimum", oldest_schema + 1}}}}}};
    root["then"] = {{"required", newer}};
  }
  root["definitions"] = definitions;
  return root.dump(2) + "\n";
}

std::string scalars_table() {
  std::string out = "| value | is |\n|---|---|\n";
  for (const ScalarOf& one : scalars()) out += fmt::format("| {} | {} |\n", one.name, one.says);
  return out;
}

std::string tables_of(const std::vector<FormOf>& forms) {
  std::string out;
  for (const FormOf& form : forms) {
    out += fmt::format("{}### {}\n\n{}.\n\n| field | holds | since | meaning |\n|---|---|---:|---|\n",
                       out.empty() ? "" : "\n", form.name, form.says);
    for (const FieldOf& field : form.fields)
      out += fmt::format("| {} | {} | {} | {} |\n",
                         field.needed ? fmt::format("**`{}`**", field.name) : fmt::format("`{}`", field.name),
                         in_words(field.holds), field.since, field.says);
  }
  return out;
}

}  // namespace podium::record
