// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium check --measure`.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/base/error.hpp"

namespace podium::cli {

// What verification costs on the device, workload by workload; Exit::contestant if a sample is too expensive
// on a GPU. `references`: each reference's time as well.
Exit check_measure(const std::vector<std::filesystem::path>& files, const std::string& device,
                   bool references, const std::string& workload);

}  // namespace podium::cli
