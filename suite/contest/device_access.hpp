// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whether a worker, confined as it is, can open a device: drivers need files and calls that no test of a
// sandbox alone thinks of.
#pragma once
#include <string>

#include "suite/contest/session.hpp"

namespace podium::contest {

// Of a worker of podium's own.
Sandbox worker_sandbox(const Executables& executables);

// Empty: it can. Else what it said, and which of the means it can do without, if leaving out one is enough.
std::string why_closed(const Executables& executables, int ordinal);

// Throws podium::Error (no device: exit 3) where it cannot: no contestant is to blame.
void require_open(const Executables& executables, int ordinal);

}  // namespace podium::contest
