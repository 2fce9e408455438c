// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// results/README.md: problems by devices, with the winner of each board.
#pragma once
#include <string>
#include <vector>

#include "suite/publish/runs.hpp"

namespace podium::publish {

// Of each board the newest run in which somebody is ranked; on bench workloads, else on quick ones, else what
// was verified and not timed.
std::string index_markdown(const std::vector<FoundRun>& runs);

}  // namespace podium::publish
