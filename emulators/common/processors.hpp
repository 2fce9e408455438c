// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How many processors this process may use.
#pragma once
#include <filesystem>

namespace podium::emulation {

// What its mask of affinity and the quotas of its control groups (cpu.max of version 2, cpu.cfs_quota_us of
// version 1, of its own group and all above) allow, at least 1; a quota of two and a half processors is two.
// What cannot be read limits nothing. `root`: where proc and sys lie.
unsigned processors(const std::filesystem::path& root = "/");

}  // namespace podium::emulation
