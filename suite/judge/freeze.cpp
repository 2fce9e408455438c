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

void Freeze::begin_watch() {
  runs_ = group_.runs();
  if (!runs_) used_ = group_.processor_time();
}

// Of time: one that still runs has used some that the kernel has not counted yet; one that no longer does
// has.
bool Freeze::stood_still() {
  if (runs_) return group_.runs() == runs_;
  return group_.at_rest() && group_.processor_time() == used_;
}

}  // namespace podium::judge
