// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What of the machine a compiler of contestants can read: the system's programs and the tool chain.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "suite/compile/job.hpp"
#include "suite/compile/toolchain.hpp"

namespace podium::compile {

// Files and folders, existing ones: /usr, /opt and the like, and whatever compiler, flags and the environment
// name outside of these.
std::vector<std::string> readable_for(const Toolchain& toolchain, const Command& command);

// Whether another user than this can read `path`; `from_root`: including the way to it.
bool open_to_others(const std::filesystem::path& path, bool from_root);

}  // namespace podium::compile
