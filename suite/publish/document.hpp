// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The document from which pages are made: runs, calibrations, problems and sources in one JSON object.
// docs/publish.schema.json describes it.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "suite/publish/runs.hpp"

namespace podium::publish {

inline constexpr int document_version = 1;

struct Document {
  nlohmann::json json;
  std::vector<std::string>
      faults;  // what was left out, of problems, calibrations and sources: a sentence each
};

// `problems`: the folder of problems, whose texts and sources are added; empty: there is none. Two calls with
// the same runs and problems give the same document.
Document document_of(const std::vector<FoundRun>& runs, const std::filesystem::path& problems);

// Adds what `comparison`, as `podium compare --format json` prints it, says of two of these runs: their ids.
void add_comparison(Document& document, nlohmann::json comparison, const std::string& before,
                    const std::string& after);

}  // namespace podium::publish
