// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium schema`: the keys of a problem file, for editors, and the fields of recorded runs.
#include <fmt/format.h>

#include <memory>

#include "suite/cli/command.hpp"
#include "suite/problem/parse/schema.hpp"
#include "suite/record/schema.hpp"

namespace podium::cli {
namespace {

Exit show_schema(const std::string& of) {
  if (of == "run")
    fmt::print("{}", record::schema_of(record::run_forms(), "run.json of a run of Podium"));
  else if (of == "entry")
    fmt::print("{}", record::schema_of(record::entry_forms(), "A line of entries.jsonl of a run of Podium"));
  else
    fmt::print("{}", problem::schema());
  return Exit::success;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto of = std::make_shared<std::string>("problem");
  app.add_option("of", *of,
                 "What it describes: problem (problem.yaml), run (run.json) or entry (a line of "
                 "entries.jsonl)")
      ->check(CLI::IsMember({"problem", "run", "entry"}));
  return [of] { return show_schema(*of); };
}

const Registered registered({.name = "schema",
                             .summary = "Print the JSON Schema of problem files, for editors, or of results",
                             .place = 80,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
