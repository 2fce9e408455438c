// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The `podium` program: reads the command line, runs the command that it names, turns errors into exit
// statuses.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "suite/base/exit.hpp"
#include "suite/cli/built.hpp"
#include "suite/cli/command.hpp"
#include "suite/record/provenance.hpp"

namespace {

using podium::Exit;
namespace cli = podium::cli;

struct Declared {
  cli::Command command;
  CLI::App* app;
  cli::Action action;
};

std::vector<Declared> declare_commands(CLI::App& app, const cli::Invocation& invocation) {
  std::vector<Declared> all;
  for (const cli::Command& command : cli::commands()) {
    CLI::App* own = app.add_subcommand(command.name, command.summary);
    all.push_back({command, own, command.declare(*own, invocation)});
  }
  return all;
}

Exit run(const Declared& declared, const cli::BenchmarkFlags& benchmark) {
  if (!declared.command.takes_benchmark_flags && !benchmark.given.empty())
    throw podium::Error(benchmark.given + ": expected only with `podium run` or `podium bench`");
  return declared.action();
}

Exit main_of(int argc, char** argv) {
  const std::string command_line = podium::record::command_line({argv, argv + argc});
  const cli::Invocation invocation{command_line,
                                   cli::parse_benchmark_flags(argc, argv)};  // takes them out of argv
  CLI::App app("Podium finds the fastest kernel for a problem on a device.", "podium");
  app.set_version_flag("--version", "podium " + cli::version());
  app.require_subcommand(1);
  if (argc > 1 && argv[1][0] != '-') cli::refuse_unknown_command(argv[1]);
  if (argc > 2 && argv[2][0] != '-' && !cli::commands(argv[1]).empty())
    cli::refuse_unknown_command(argv[2], argv[1]);
  const auto commands = declare_commands(app, invocation);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? Exit::success : Exit::usage;
  }
  return run(*std::ranges::find_if(commands, [](const Declared& one) { return one.app->parsed(); }),
             invocation.benchmark);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return static_cast<int>(main_of(argc, argv));
  } catch (const podium::Error& e) {
    fmt::print(stderr, "podium: {}\n", e.what());
    return static_cast<int>(podium::exit_of(e.fault()));
  } catch (const std::exception& e) {
    fmt::print(stderr, "podium: {}\n", e.what());
    return static_cast<int>(Exit::usage);
  }
}
