// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/stacks.hpp"

#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace podium::ptx {
namespace {

constexpr std::size_t most_idle = 4096;  // of a size: what they touched stays in memory

using Stacks = std::vector<std::unique_ptr<host::Fiber>>;
std::mutex mutex;
Stacks& idle_stacks(std::size_t bytes) {
  static auto* const all = new std::map<std::size_t, Stacks>;  // libraries unload after statics are gone
  return (*all)[bytes];
}

}  // namespace

std::unique_ptr<host::Fiber> take_stack(std::size_t bytes) {
  const std::lock_guard lock(mutex);
  Stacks& idle = idle_stacks(bytes);
  if (idle.empty()) return std::make_unique<host::Fiber>(bytes);
  auto stack = std::move(idle.back());
  idle.pop_back();
  return stack;
}

void give_stack_back(std::size_t bytes, std::unique_ptr<host::Fiber> stack) noexcept try {
  const std::lock_guard lock(mutex);
  Stacks& idle = idle_stacks(bytes);
  if (idle.size() < most_idle) idle.push_back(std::move(stack));
} catch (const std::bad_alloc&) {  // not even room to keep it: it goes
}

}  // namespace podium::ptx
