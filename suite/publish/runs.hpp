// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The runs below folders that a user names.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/record/provenance.hpp"
#include "suite/record/record.hpp"

namespace podium::publish {

struct FoundRun {
  std::string id;      // "<device>/<name of the run's folder>"
  std::string device;  // record::slug()
  record::Run run;
  record::Provenance provenance;
};

struct FoundRuns {
  std::vector<FoundRun> runs;           // sorted: sort_by_start()
  std::vector<std::string> without;     // of each run that has no entries, a sentence
  std::vector<std::string> unreadable;  // of each that cannot be read, a sentence
};

bool is_run(const std::filesystem::path& folder);        // whether it holds a run.json, and is not closed
FoundRun read_run(const std::filesystem::path& folder);  // throws podium::Error

void sort_by_start(std::vector<FoundRun>& runs);  // by the time at which they started, then id

// Each of `folders` is a run's folder, or a device's, or one of devices' folders: results/<device>/<run>. A
// run that two of them reach is found once. Throws podium::Error if one of them does not exist or leads to no
// run at all.
FoundRuns find_runs(const std::vector<std::filesystem::path>& folders);

}  // namespace podium::publish
