// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How many processors of this machine have nothing to do.
#pragma once
#include <filesystem>

namespace podium::ptx {

// Of so many that the machine has: all but those for which a thread runs or is ready to, this one among them,
// as proc/loadavg has it; at least 0. All but this thread's where that cannot be read. `root`: where proc
// lies.
unsigned idle_processors(unsigned online, const std::filesystem::path& root = "/");

}  // namespace podium::ptx
