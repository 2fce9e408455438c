// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Puts a campaign's shards into the queue, and takes them out of it.
#pragma once
#include <filesystem>

#include "suite/base/exit.hpp"

namespace podium::cluster {

struct SubmitRequest {
  std::filesystem::path campaign;  // absolute
  std::filesystem::path program;   // Podium itself, as nodes find it
  bool failed = false;             // also the shards that have failed
};

// Submits each shard that is not done and has no job, an array for each partition. Says what it did on
// standard output, and what sbatch refused on standard error. Throws podium::Error if Slurm does not answer.
Exit submit(const SubmitRequest& request);

// Whoever is not done is cancelled, and its job ended.
Exit cancel(const std::filesystem::path& campaign);

}  // namespace podium::cluster
