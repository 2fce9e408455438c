// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the partitions of a campaign can run, as far as it is known without their devices.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/cluster/planning.hpp"

namespace podium::cli {

struct Offers {
  std::vector<cluster::Offer> offers;  // one for each partition
  std::vector<std::string> faults;     // of problems that are left out, a sentence each
};

// `file`: the campaign's, for sentences; `problems`: the folder that holds the problem folders. Throws
// podium::Error: a problem, choice of types or contestant that does not exist, with the nearest name.
Offers offers_of(const cluster::Campaign& campaign, const std::filesystem::path& file,
                 const std::filesystem::path& problems);

}  // namespace podium::cli
