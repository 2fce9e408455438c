// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The fields of run.json and of a line of entries.jsonl, once: `podium schema run` and `podium schema entry`
// print them as JSON Schemas, and docs/results.md has them as tables.
#pragma once
#include <string>
#include <vector>

namespace podium::record {

struct FieldOf {
  std::string name;
  // A scalar's name (scalar.hpp) or a form's; "[x]": a list; "{x}": a map from names.
  std::string holds;
  std::string says;  // a phrase
  bool needed = false;
  int since = 1;  // schema
};

// A JSON object.
struct FormOf {
  std::string name, says;
  std::vector<FieldOf> fields;
  std::string others{};  // what further fields hold; empty: there are none
};

// "run", then those that it holds; "entry", then those that it holds.
const std::vector<FormOf>& run_forms();
const std::vector<FormOf>& entry_forms();

// A JSON Schema (draft 7) of all versions that this Podium reads. Version 2 and later need more.
std::string schema_of(const std::vector<FormOf>& forms, const std::string& title);
// The scalars as a table in Markdown.
std::string scalars_table();
// As tables in Markdown, a heading each.
std::string tables_of(const std::vector<FormOf>& forms);

}  // namespace podium::record
