// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whether a worker, confined as it is, can open a device: drivers need files and calls that no test of a
// sandbox alone thinks of.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "suite/contest/processes.hpp"
#include "suite/protocol/protocol.hpp"
#include "suite/sandbox/sandbox.hpp"

namespace podium::contest {

// Of the memory that a worker may take, for each of its two folders in memory.
inline constexpr int scratch_share = 8;

// Where the devices of a group of `ranks` lie, that of `first` before all; empty: the processor.
std::vector<std::string> places_of(const protocol::Opened& first, int ranks);
// Of a worker of podium's own, for the devices at these places.
sandbox::Sandbox worker_sandbox(const Executables& executables, const std::vector<std::string>& places);
// By which it finds that device among those that it sees, in front of its other arguments.
std::vector<std::string> place_arguments(const sandbox::Sandbox& sandbox, const std::string& pci);

struct Place {
  int ordinal = 0;
  std::string pci{};
};

struct Access {
  std::string closed;  // empty: it can, and sees no GPU that was hidden from it. Else what it said, and which
                       // of the means it can do without, if leaving out one is enough
  int gpus = 0;        // that it sees, the one opened among them; 0: it does not say
};
Access access_to(const Executables& executables, const Place& place);

// Throws podium::Error (no device: exit 3) where it cannot: no contestant is to blame.
void require_open(const Executables& executables, const Place& place);
// Throws podium::Error where a worker could open another GPU than the one at `pci`.
void require_one_device(const std::string& pci);

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
