// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium schema`: the keys of problem and campaign files, for editors, and the fields of recorded runs.
#include <fmt/format.h>

#include <memory>

#include "suite/cli/command.hpp"
#include "suite/cluster/format.hpp"
#include "suite/problem/parse/schema.hpp"
#include "suite/record/schema.hpp"

namespace podium::cli {
namespace {

Exit show_schema(const std::string& of) {
  if (of == "run")
    fmt::print("{}", record::schema_of(record::run_forms(), "run.json of a run of Podium"));
  else if (of == "entry")
    fmt::print("{}", record::schema_of(record::entry_forms(), "A line of entries.jsonl of a run of Podium"));
  else if (of == "campaign")
    fmt::print("{}", cluster::campaign_schema());
  else
    fmt::print("{}", problem::schema());
  return Exit::success;
}

Action declare(CLI::App& app, const Invocation&) {
  const auto of = std::make_shared<std::string>("problem");
  app.add_option("of", *of,
                 "What it describes: problem (problem.yaml), run (run.json), entry (a line of "
                 "entries.jsonl) or campaign (of `podium cluster`)")
      ->check(CLI::IsMember({"problem", "run", "entry", "campaign"}));
  return [of] { return show_schema(*of); };
}

const Registered registered(
    {.name = "schema",
     .summary = "Print the JSON Schema of problem or campaign files, for editors, or of results",
     .place = 80,
     .declare = declare});

}  // namespace
}  // namespace podium::cli
