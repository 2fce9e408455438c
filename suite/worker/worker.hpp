// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The untrusted process: loads one contestant, arms it and runs it.
#pragma once
#include <functional>
#include <memory>

#include "suite/device/lane.hpp"
#include "suite/worker/contestant.hpp"

namespace podium::worker {

using Opener = std::function<std::unique_ptr<device::Lane>(int ordinal, device::Page& page)>;
// The contestant, of the problem interface `hash`. Throws Failure.
using Loader = std::function<std::unique_ptr<Contestant>(const std::string& hash)>;

// Serves the judge on `socket` until it says farewell or dies. `load`: null for the trusted empty contestant.
// Does not return: ends the process without running destructors, since a contestant's may hang.
[[noreturn]] void serve(int socket, Loader load, Opener open);

}  // namespace podium::worker
