// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What this computer is: processor, threads, caches, memory.
#pragma once
#include <cstdint>
#include <string>

namespace podium::host {

std::string product();       // as /proc/cpuinfo names it
std::string architecture();  // "x86-64-v3", "aarch64"
std::string kernel();        // "Linux 6.1.0-25-amd64"
int threads();               // hardware threads that this process may use
std::int64_t memory();       // bytes installed
std::int64_t available();    // bytes that can be had now without swapping, the control group's limit included
std::int64_t last_level_cache();  // bytes, all instances of the last level together

}  // namespace podium::host
