// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Copies between a campaign's folder, which all nodes see, and a node's scratch, where a shard works.
//   problems/    of the campaign's folder: the problems and contestants as they were when it was planned
//   products/    what shards have compiled, unless the partition has a shared cache
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "suite/base/descriptor.hpp"

namespace podium::cluster {

// Copies the problems and contestants below `problems` into the campaign. Once shards have begun, those that
// they began with stay. Throws podium::Error.
void keep_problems(const std::filesystem::path& campaign, const std::filesystem::path& problems);

// A folder of a shard's own below `home`; those of shards that were killed on this node are removed. It is
// removed at the end. Throws podium::Error.
class NodeScratch {
 public:
  // `home` may hold variables, as in $TMPDIR/podium; empty: $TMPDIR, else /tmp.
  NodeScratch(const std::string& home, const std::string& campaign);
  NodeScratch(const NodeScratch&) = delete;
  NodeScratch& operator=(const NodeScratch&) = delete;
  ~NodeScratch();
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  Descriptor lock_;
};

// Copies a folder or file with all it holds. Throws podium::Error, one sentence that names the file and
// `what`.
void copy_in(const std::filesystem::path& from, const std::filesystem::path& to, const std::string& what);

// The compiled products of these problems, from the campaign to a cache and back. What is there already
// stays.
void stage_products(const std::filesystem::path& campaign, const std::filesystem::path& cache,
                    const std::vector<std::string>& problems);
void bring_products(const std::filesystem::path& cache, const std::filesystem::path& campaign);

// The newest calibration of each type of device becomes that of the campaign's results. Throws podium::Error.
void bring_calibrations(const std::filesystem::path& campaign);

// Bytes of a run's entries; 0: it has none yet.
std::int64_t entries_bytes(const std::filesystem::path& run);

// Copies a run, which may still be measured, so that at every moment the copy can be read: sources, then
// run.json, then the entries, each whole and synced. `ended`: also its reports. Throws podium::Error.
void bring_run(const std::filesystem::path& run, const std::filesystem::path& to, bool ended);

}  // namespace podium::cluster
