// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Why HIP's runtime sees no device on this machine, in one sentence that says what to do.
#pragma once
#include <filesystem>
#include <functional>
#include <string>

namespace podium::gpu {

// What the answer depends on; tests put other things in.
struct Machine {
  std::filesystem::path dev = "/dev", sys = "/sys";
  std::filesystem::path runtime;                               // the libamdhip64 in use
  std::function<bool(const std::filesystem::path&)> may_open;  // for reading and writing, by this user
  std::function<const char*(const char*)> variable;            // of the environment; null: not set
};
Machine this_machine();

// The first of these that is so, from the hardware to the runtime: no driver, no device nodes, no permission
// on them (naming the group to join), no GPU that the kernel knows, devices hidden by the environment, a
// runtime that only serves to compile, a GPU that the runtime does not know.
std::string why_no_device(const Machine& machine);

}  // namespace podium::gpu
