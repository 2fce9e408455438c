// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/freeze.hpp"

#include <fmt/format.h>

#include "suite/base/error.hpp"

namespace podium::judge {
namespace {

constexpr std::chrono::seconds patience{1};

}  // namespace

void Freeze::wait() {
  if (!group_.stopped(patience))
    throw Error(fmt::format("the worker's threads did not stop within {} s", patience.count()));
}

// One that still runs has used time that the kernel has not counted yet; one that no longer does has.
bool Freeze::stood_still() { return group_.at_rest() && group_.processor_time() == used_; }

}  // namespace podium::judge
