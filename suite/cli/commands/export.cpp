// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium export`: results written back in the form of the collection from which problems were imported.
#include "suite/cli/command.hpp"

namespace podium::cli {
namespace {

constexpr const char* name = "export";

Action declare(CLI::App& app, const Invocation& invocation) { return declare_below(app, invocation, name); }

const Registered registered({.name = name,
                             .summary = "Write results back to the collection that problems came from",
                             .place = 105,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
