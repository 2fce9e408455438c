// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Folders that are in use as long as a process holds them locked: what a killed process left can be told from
// what another one needs.
#pragma once
#include <filesystem>
#include <functional>

#include "suite/base/descriptor.hpp"

namespace podium::sandbox {

struct LockedFolder {
  std::filesystem::path path;
  Descriptor lock;
};

// A new folder `home`/`prefix`XXXXXX. None, with errno, where that is refused.
LockedFolder make_locked_folder(const std::filesystem::path& home, const char* prefix);

// Calls remove(path) for each such folder that no process holds, and holds it meanwhile.
void each_abandoned_folder(const std::filesystem::path& home, const char* prefix,
                           const std::function<void(const std::filesystem::path&)>& remove);

}  // namespace podium::sandbox
