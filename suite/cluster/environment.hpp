// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a shard finds of its node: the device's settings, and the processors that are near it.
#pragma once
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace podium::cluster {

// "driver", "sm_clock_mhz", "ecc", "mig", "persistence", "power_cap_w", "governor" ...
using Environment = std::map<std::string, std::string>;

struct FoundDevice {
  std::string id;  // its UUID, or where it has none its PCI address; empty: it is the machine's processor
  Environment environment;
};

// The device at that PCI address ("0000:3b:00.0"), and the machine around it; without an address the machine
// alone. What is not known is absent. `root`: of the file system.
FoundDevice describe_device(const std::string& pci, const std::filesystem::path& root = "/");

// Of the answer of nvidia-smi to the query that describe_device() makes: one line, values with ", " between.
FoundDevice nvidia_device(const std::string& line);

// "0-3,8" as numbers; what is not a list is none.
std::vector<int> cpu_list(const std::string& text);
std::string cpu_list(const std::vector<int>& cpus);
// The processors near the device, as the kernel lists them; none if it does not.
std::vector<int> near_cpus(const std::string& pci, const std::filesystem::path& root = "/");

// Binds this process, and what it will start, to those of its processors that are near the device, and notes
// "cpus" and "cpu_binding" in `environment`.
void bind_near(const std::string& pci, Environment& environment);

}  // namespace podium::cluster
