// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The files by which GPUs are opened, as far as a worker under another user id cannot open them.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace podium::cli {

struct ClosedNode {
  std::string file, advice;
};

// NVIDIA's nodes have to be open to everybody. AMD's may belong to a group, which a worker keeps, but to
// root's. `dev`: another folder than /dev, for tests.
std::vector<ClosedNode> closed_to_workers(const std::filesystem::path& dev = "/dev");

}  // namespace podium::cli
