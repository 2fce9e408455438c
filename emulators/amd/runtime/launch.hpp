// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A launch: a grid of groups, executed to its end by the thread that calls.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "emulators/amd/runtime/code_object.hpp"
#include "emulators/amd/runtime/translation.hpp"
#include "emulators/common/allocations.hpp"

namespace podium::amd {

struct Launch {
  std::shared_ptr<const CodeObject> code;
  const KernelCode* kernel = nullptr;
  std::array<std::uint32_t, 3> grid{1, 1, 1};   // groups
  std::array<std::uint32_t, 3> block{1, 1, 1};  // lanes of a group
  std::uint32_t dynamic_lds = 0;                // bytes
  std::vector<char> arguments;                  // as the kernel finds them, the hidden ones included
};

// The buffer of arguments: those of the caller, one address each, and what the compiler has hidden behind
// them.
std::vector<char> arguments_of(const Launch& launch, void* const* given, emulation::Allocations& allocations);

// Runs every group. Waves of several groups take turns, so that what waits for another wave or an earlier
// group gets on. "" if all went well, else one sentence: kernel, group, lane, instruction, what was found.
std::string execute(const Launch& launch, emulation::Allocations& allocations);

}  // namespace podium::amd
