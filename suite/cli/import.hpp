// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Problem folders made of tasks that other suites have. The Python package podium_import in importers/ runs
// the tasks' code to see their tensors, so it is confined as a contestant's compiler is.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace podium::cli {

struct ImportRequest {
  std::string kind;  // gpumode, kernelbench, flashinfer-bench
  std::filesystem::path source, to;
  std::string name;  // of the problem, where the source is a single task; empty: the task's own
  std::vector<std::string> options;          // of the importer of this kind: "--mode", "eval"
  std::vector<std::filesystem::path> files;  // that these options name
  bool brief = false;                        // says only what was not imported
  std::filesystem::path report;              // a copy of the importer's report.json; empty: none
};

const std::vector<std::string>& import_kinds();

// Draws up a folder for each task, and copies it to `to`. Prints a line for each task, and returns whether
// all were imported. Throws podium::Error if nothing could be read.
bool import_tasks(const ImportRequest& request);

// Of `podium run TASKDIR`: where `problems` are folders that hold a task instead of a problem, they are
// imported into a folder of Podium's cache. Replaces them in `problems` by the names of what was imported,
// and `folder` by where that lies. Throws podium::Error if one cannot be imported.
void import_in_place(std::vector<std::string>& problems, std::filesystem::path& folder);

}  // namespace podium::cli
