// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/command.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace podium::cli {
namespace {

// A list through the static objects themselves, which is there before any of them is constructed.
constinit const Registered* newest = nullptr;

}  // namespace

Registered::Registered(const Command& command) noexcept
    : command_(command), next_(std::exchange(newest, this)) {}

std::vector<Command> commands() {
  std::vector<Command> all;
  for (const Registered* one = newest; one; one = one->next_) all.push_back(one->command_);
  std::ranges::sort(all, {}, [](const Command& command) {
    return std::pair(command.place, std::string_view(command.name));
  });
  return all;
}

}  // namespace podium::cli
