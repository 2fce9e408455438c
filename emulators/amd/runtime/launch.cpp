// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/amd/runtime/launch.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>

#include "emulators/amd/runtime/groups.hpp"
#include "emulators/amd/runtime/mailbox.hpp"
#include "emulators/amd/runtime/target.hpp"

namespace podium::amd {
namespace {

template <class T>
void put(std::vector<char>& buffer, std::size_t at, T value) {
  std::memcpy(buffer.data() + at, &value, sizeof value);
}

// Loaded once; several threads may launch.
Translation translation_of(const Launch& launch) {
  static std::mutex mutex;
  static std::map<std::pair<const CodeObject*, int>,
                  std::pair<std::shared_ptr<const CodeObject>, Translation>>
      known;
  const std::lock_guard lock(mutex);
  const std::pair key(launch.code.get(), launch.kernel->wave);
  auto found = known.find(key);
  if (found == known.end())
    found =
        known
            .emplace(key, std::pair(launch.code, translate(*launch.code, launch.kernel->wave, target().name)))
            .first;
  return found->second.second;
}

}  // namespace

std::vector<char> arguments_of(const Launch& launch, void* const* given,
                               emulation::Allocations& allocations) {
  std::vector<char> buffer(std::max<std::size_t>(launch.kernel->argument_bytes, 8));
  std::size_t next = 0;
  for (const Argument& argument : launch.kernel->arguments) {
    const std::string& kind = argument.kind;
    const auto at = argument.offset;
    if (!argument.hidden()) {
      std::memcpy(buffer.data() + at, given[next++], argument.bytes);
      continue;
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const char name[] = {'_', "xyz"[axis], '\0'};
      if (kind == std::string("hidden_block_count") + name) put(buffer, at, launch.grid[axis]);
      if (kind == std::string("hidden_group_size") + name)
        put(buffer, at, static_cast<std::uint16_t>(launch.block[axis]));
    }
    if (kind == "hidden_grid_dims") {
      const auto more = [&](std::size_t axis) {
        return std::uint64_t{launch.grid[axis]} * launch.block[axis] > 1;
      };
      put(buffer, at, static_cast<std::uint16_t>(more(2) ? 3 : more(1) ? 2 : 1));
    }
    if (kind == "hidden_dynamic_lds_size") put(buffer, at, launch.dynamic_lds);
    if (kind == "hidden_hostcall_buffer")
      put(buffer, at, reinterpret_cast<std::uint64_t>(Mailbox::of(allocations).address()));
    if (kind == "hidden_shared_base") put(buffer, at, static_cast<std::uint32_t>(lds_aperture));
    if (kind == "hidden_private_base") put(buffer, at, static_cast<std::uint32_t>(scratch_aperture));
  }
  return buffer;
}

std::string execute(const Launch& launch, emulation::Allocations& allocations) try {
  Groups groups(launch, translation_of(launch), allocations);
  return groups.run();
} catch (const std::runtime_error& e) {
  return "kernel " + launch.kernel->name + ": " + e.what();
}

}  // namespace podium::amd
