// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Translates the table of format.hpp: a definition for each form, word list and kind of scalar.
#include "suite/problem/parse/schema.hpp"

#include <nlohmann/json.hpp>

#include "suite/problem/parse/format.hpp"
#include "suite/problem/parse/parsing.hpp"
#include "suite/problem/yaml/schema.hpp"
#include "suite/protocol/protocol.hpp"

namespace podium::problem {
namespace {

using json = nlohmann::ordered_json;

constexpr std::string_view scalar_pattern = "\\S";  // not blank

// One word where the fill needs no numbers, a map with one key, or a term with its indices.
json fill() {
  const Form& one = form("fill");
  json bare = json::array();
  for (const Key& key : one.keys)
    for (const std::string_view part : alternatives(key.holds))
      if (part == "null") bare.push_back(key.name);
  json keyed = object_of(one);
  keyed["minProperties"] = keyed["maxProperties"] = 1;
  return {{"description", one.says},
          {"anyOf",
           json::array({{{"enum", bare}}, keyed, reference_to("value_fill"), reference_to("derived_fill")})}};
}

json scalars() {
  const json number{{"type", "number"}}, text{{"type", "string"}, {"pattern", scalar_pattern}};
  const json word{{"type", json::array({"string", "number", "boolean"})}};  // 1 and true are words, too
  json all;
  all["version"] = {{"enum", json::array({1})}};
  all["null"] = {{"type", "null"}};
  all["text"] = all["name"] = word;
  all["number"] = number;
  all["count"] = {{"type", "integer"}, {"minimum", 1}};
  all["ranks"] = {{"type", "integer"}, {"minimum", 2}, {"maximum", protocol::max_ranks}};
  all["truth"] = {{"type", "boolean"}};
  all["bytes"] = {{"anyOf", json::array({{{"type", "integer"}, {"minimum", 0}},
                                         {{"type", "string"}, {"pattern", "^[0-9.]+ *([KMGT]iB|B)?$"}}})}};
  all["formula"] = all["term"] = {{"anyOf", json::array({text, number})}};
  all["range"] = {
      {"anyOf",
       json::array(
           {reference_to("formula"),
            reference_to("range_map"),
            {{"type", "array"}, {"items", reference_to("formula")}, {"minItems", 2}, {"maxItems", 2}}})}};
  all["dtype"] = {{"enum", dtype_names()}};
  return all;
}

}  // namespace

std::string schema() {
  json definitions = scalars();
  for (const Words& list : word_lists()) definitions[list.name] = {{"enum", list.words}};
  for (const Form& one : forms())
    if (one.name != "problem") definitions[one.name] = one.name == "fill" ? fill() : object_of(one);
  json root{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "A problem of Podium"}};
  root.update(object_of(form("problem")));
  root["definitions"] = definitions;
  return root.dump(2) + "\n";
}

}  // namespace podium::problem
