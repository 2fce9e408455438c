// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium schema`: the keys of a problem file, for editors.
#include "suite/problem/parse/schema.hpp"

#include <fmt/format.h>

#include "suite/cli/command.hpp"

namespace podium::cli {
namespace {

Exit show_schema() {
  fmt::print("{}", problem::schema());
  return Exit::success;
}

Action declare(CLI::App&, const Invocation&) { return show_schema; }

const Registered registered({.name = "schema",
                             .summary = "The problem file's format as a JSON Schema, for editors",
                             .place = 80,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
