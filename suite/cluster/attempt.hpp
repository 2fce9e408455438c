// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// An attempt at a shard, on its node: what `podium cluster shard` does.
#pragma once
#include <filesystem>
#include <string>

#include "suite/base/exit.hpp"

namespace podium::cluster {

// It ended before its time, and is to be put back into the queue. EX_TEMPFAIL of sysexits.h.
inline constexpr Exit put_back{75};

struct ShardRequest {
  std::filesystem::path campaign;  // absolute
  std::string id;
  std::filesystem::path program;  // Podium itself
};

// Prepares scratch, records node and device, measures or resumes the shard's run, and brings it back while it
// is measured and at its end. The state of the shard says what became of it. Returns Exit::success,
// `put_back`, Exit::interrupted where its job was told to end, or Exit::usage where it failed. Throws
// podium::Error if the campaign has no such shard.
Exit attempt_shard(const ShardRequest& request);

}  // namespace podium::cluster
