// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium cluster`: campaigns on the partitions of a cluster. Each of its commands is a file of its own.
#include "suite/cli/command.hpp"

namespace podium::cli {
namespace {

constexpr const char* name = "cluster";

Action declare(CLI::App& app, const Invocation& invocation) { return declare_below(app, invocation, name); }

const Registered registered({.name = name,
                             .summary = "Plan, submit and collect a campaign on a cluster",
                             .place = 130,
                             .declare = declare});

}  // namespace
}  // namespace podium::cli
