// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cli/command.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "suite/base/nearest.hpp"

namespace podium::cli {
namespace {

// A list through the static objects themselves, which is there before any of them is constructed.
constinit const Registered* newest = nullptr;

}  // namespace

Registered::Registered(const Command& command) noexcept
    : command_(command), next_(std::exchange(newest, this)) {}

std::vector<Command> commands(std::string_view parent) {
  std::vector<Command> all;
  for (const Registered* one = newest; one; one = one->next_)
    if (parent == one->command_.parent) all.push_back(one->command_);
  std::ranges::sort(all, {}, [](const Command& command) {
    return std::pair(command.place, std::string_view(command.name));
  });
  return all;
}

void refuse_unknown_command(const std::string& word, std::string_view parent) {
  std::vector<std::string> names;
  bool known = false;
  for (const Command& command : commands(parent)) {
    known = known || word == command.name;
    if (*command.summary) names.emplace_back(command.name);
  }
  if (!known) throw Error("command: " + found_one_of(word, names));
}

Action declare_below(CLI::App& app, const Invocation& invocation, std::string_view parent) {
  struct Below {
    const CLI::App* app;
    Action action;
  };
  std::vector<Below> all;
  for (const Command& command : commands(parent)) {
    CLI::App* own = app.add_subcommand(command.name, command.summary);
    if (!*command.summary) own->group("");  // not listed
    all.push_back({own, command.declare(*own, invocation)});
  }
  app.require_subcommand(1);
  return [all] {
    return std::ranges::find_if(all, [](const Below& one) { return one.app->parsed(); })->action();
  };
}

}  // namespace podium::cli
