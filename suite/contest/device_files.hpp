// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The files by which GPUs are opened: whose is which.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "suite/sandbox/sandbox.hpp"

namespace podium::contest {

// /dev/nvidia0, /dev/dri/renderD128 ..., of all GPUs but the one at `pci` ("0000:C1:00.0"; empty: none is
// chosen, and all are others). What GPUs share, /dev/nvidiactl, /dev/nvidia-uvm or /dev/kfd, is none of them.
// Nothing: there are several, and neither NVIDIA's driver nor the kernel tells which is the one chosen; so it
// is of an AMD GPU that is divided. `root`: another than /, for tests.
std::optional<std::vector<std::string>> other_device_files(const std::string& pci,
                                                           const std::filesystem::path& root = "/");

// grants(), but for Means::one_device, of which it is told whether it holds of the device at `pci`.
std::vector<sandbox::Grant> grants_on(const std::string& pci, const std::filesystem::path& root = "/");
sandbox::Grant one_device_on(const std::string& pci, const std::filesystem::path& root = "/");

}  // namespace podium::contest
