// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The keys of a campaign file in one table: the reader refuses all others, and the schema for editors and the
// tables of docs/campaigns.md are made of the same.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "suite/problem/yaml/format.hpp"

namespace podium::cluster {

const std::vector<problem::Form>& forms();         // "campaign" is the file
const problem::Form& form(std::string_view name);  // throws std::logic_error if there is none
const std::vector<problem::Words>& word_lists();
const std::vector<std::string>& words(std::string_view list);

std::string campaign_schema();  // JSON Schema, draft 7; ends with a line break
std::string campaign_tables();  // in Markdown, a heading each

}  // namespace podium::cluster
