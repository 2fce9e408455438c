// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A command of `podium`, or one below another. Each is a file in suite/cli/commands that registers itself; no
// other file names it.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "suite/base/error.hpp"
#include "suite/base/exit.hpp"
#include "suite/cli/benchmark_flags.hpp"

namespace podium::cli {

// How podium was started, before any command's options are read.
struct Invocation {
  std::string command_line;  // for the record
  BenchmarkFlags benchmark;
};

// Does what the parsed options ask for and returns the exit status. Throws podium::Error for wrong input.
using Action = std::function<Exit()>;

struct Command {
  static constexpr int last = 1000;

  const char* name;
  const char* summary;      // in `podium --help`; empty: the command is not listed
  const char* parent = "";  // the command below which it is; empty: none
  int place = last;         // there: smaller numbers first, equal ones by name
  bool takes_benchmark_flags = false;
  // Adds the command's options to `app`. What they are read into lives as long as the action that is
  // returned.
  Action (*declare)(CLI::App& app, const Invocation& invocation);
};

// A static object in the command's file.
class Registered {
 public:
  explicit Registered(const Command& command) noexcept;

 private:
  friend std::vector<Command> commands(std::string_view parent);

  Command command_;
  const Registered* next_;
};

std::vector<Command> commands(std::string_view parent = "");  // as `podium --help` lists them

// Throws podium::Error with the nearest name if `word` is none of them.
void refuse_unknown_command(const std::string& word, std::string_view parent = "");

// For the `declare` of a command that only holds others: its action is that of the one that the user gives.
Action declare_below(CLI::App& app, const Invocation& invocation, std::string_view parent);

}  // namespace podium::cli
