// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A command of `podium`. Each is a file in suite/cli/commands that registers itself; no other file names it.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <string>
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
  const char* summary;  // in `podium --help`
  int place = last;     // there: smaller numbers first, equal ones by name
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
  friend std::vector<Command> commands();

  Command command_;
  const Registered* next_;
};

std::vector<Command> commands();  // as `podium --help` lists them

}  // namespace podium::cli
