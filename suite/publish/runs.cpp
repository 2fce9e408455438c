// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/publish/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "suite/base/error.hpp"

namespace podium::publish {
namespace {

namespace fs = std::filesystem;

constexpr int below_results = 2;  // results/<device>/<run>

// Runs in `folder`, itself or at most `depth` below it.
void collect(const fs::path& folder, int depth, std::set<fs::path>& runs) {
  if (is_run(folder)) runs.insert(fs::canonical(folder));
  if (is_run(folder) || depth == 0) return;
  std::error_code closed;
  for (const auto& entry : fs::directory_iterator(folder, closed))
    if (entry.is_directory() && !entry.is_symlink()) collect(entry.path(), depth - 1, runs);
}

std::set<fs::path> collect(const std::vector<fs::path>& folders) {
  std::set<fs::path> all;
  for (const fs::path& folder : folders) {
    if (!fs::is_directory(folder))
      throw Error(
          fmt::format("{}: is no folder; expected results/, results/<device> or results/<device>/<run>",
                      folder.string()));
    std::set<fs::path> runs;
    collect(folder, below_results, runs);
    if (runs.empty())
      throw Error(fmt::format(
          "{}: found no run (a folder with run.json); `podium run` records runs, `scripts/evidence "
          "--unpack` unpacks those of this repository",
          folder.string()));
    all.merge(runs);
  }
  return all;
}

}  // namespace

bool is_run(const fs::path& folder) {
  std::error_code closed;  // the folder of a run that still goes on is closed to other users
  return fs::exists(folder / "run.json", closed);
}

FoundRun read_run(const fs::path& folder) {
  FoundRun found{.run = record::read(folder)};
  try {
    found.provenance = record::provenance_from(found.run.provenance);
  } catch (const Error& e) {  // which names the file alone
    throw Error(fmt::format("{}/{}", folder.string(), e.what()));
  }
  found.device = record::slug(found.provenance.device);
  found.id = found.device + "/" + fs::canonical(folder).filename().string();
  return found;
}

void sort_by_start(std::vector<FoundRun>& runs) {
  std::ranges::sort(runs, [](const FoundRun& a, const FoundRun& b) {
    return std::tie(a.provenance.started, a.id) < std::tie(b.provenance.started, b.id);
  });
}

FoundRuns find_runs(const std::vector<fs::path>& folders) {
  FoundRuns found;
  std::set<std::string> ids;
  for (const fs::path& folder : collect(folders)) {
    if (!fs::exists(folder / "entries.jsonl")) {
      found.without.push_back(
          fmt::format("{}: has no entries.jsonl, and nothing to publish", folder.string()));
      continue;
    }
    try {
      FoundRun run = read_run(folder);
      if (!ids.insert(run.id).second)
        throw Error(fmt::format("{}: is a second run of the name {}", folder.string(), run.id));
      if (run.run.entries.empty())
        found.without.push_back(
            fmt::format("{}: no entry was finished, and nothing to publish", folder.string()));
      else
        found.runs.push_back(std::move(run));
    } catch (const Error& e) {
      found.unreadable.emplace_back(e.what());
    }
  }
  sort_by_start(found.runs);
  return found;
}

}  // namespace podium::publish
