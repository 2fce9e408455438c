// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/suspension.hpp"

#include <fmt/format.h>

#include <thread>
#include <utility>

#include "suite/base/error.hpp"

namespace podium::judge {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::seconds longest{1};

}  // namespace

Suspension::Suspension(Group& group, IdleSpinner& spinner, std::optional<std::chrono::microseconds> patience)
    : group_(group), spinner_(spinner) {
  if (!patience || !group_.asleep(*patience)) signal();
}

void Suspension::signal() {
  signalled_ = true;
  group_.tell_to_stop();
}

void Suspension::wait() {
  if (!signalled_) {
    if (group_.runs() == group_.runs_when_still()) return;
    signal();
  }
  if (!group_.stopped(longest))
    throw Error(fmt::format("the worker's threads did not stop within {} s", longest.count()));
}

void Suspension::begin_watch() {
  if (!signalled_) wait();
  if (group_.runs_when_still()) return;
  // What a thread used last is counted once it has left its processor, a little after it is seen stopped.
  for (auto before = -1ns; before != used_;) {
    before = std::exchange(used_, group_.processor_time());
    std::this_thread::sleep_for(1ms);
  }
}

// Of time: one that still runs has used some that the kernel has not counted yet; one that no longer does
// has.
bool Suspension::stood_still() {
  if (const auto runs = group_.runs_when_still()) return group_.runs() == runs;
  return group_.at_rest() && group_.processor_time() == used_;
}

}  // namespace podium::judge
