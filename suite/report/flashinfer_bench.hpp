// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Results as FlashInfer-Bench's traces, of problems that `podium import flashinfer-bench` made.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "suite/report/board.hpp"

namespace podium::report {

struct Traces {
  std::map<std::filesystem::path, std::string> files;  // relative, "traces/<op_type>/<definition>.jsonl"
  int count = 0;
  std::vector<std::string> left_out;  // sentences: boards and workloads that FlashInfer-Bench does not know
};

// A trace for each contestant and each workload of the source. `problems` holds the problems' folders, which
// know definitions and workloads. Throws podium::Error if what an import wrote there cannot be read.
Traces flashinfer_bench_traces(const Report& report, const std::filesystem::path& problems);

}  // namespace podium::report
