// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A session looks at what its worker takes: memory and processes.
#include "suite/contest/session_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <thread>

#include "suite/base/user.hpp"
#include "suite/contest/session_requests.hpp"

namespace podium::contest {

using std::chrono::milliseconds;

std::int64_t kernel_memory_kills() {
  std::ifstream file("/proc/vmstat");
  std::string name;
  for (std::int64_t value = 0; file >> name >> value;)
    if (name == "oom_kill") return value;
  return 0;
}

// Now and then: never while a short call runs, since answers come before it is time to look.
std::optional<Failure> Session::excess_of_worker() {
  const auto now = std::chrono::steady_clock::now();
  if (!worker_.child || killed_for_ || now < next_look_) return std::nullopt;
  next_look_ = now + between_looks;
  const sandbox::Usage usage = worker_.child.usage();
  if (usage.processes > sandbox::most_processes)
    return Failure{Verdict::too_many_processes,
                   fmt::format("more than {} processes at once", sandbox::most_processes)};
  if (!worker_.child.exceeds(limits_.memory, usage)) return std::nullopt;
  return excess_of_memory();
}

Failure Session::excess_of_memory() const {
  return {Verdict::out_of_memory, fmt::format("more than {} MiB of host memory", limits_.memory >> 20)};
}

void Session::end_worker(const Failure& why) {
  killed_for_ = why;
  kill_all_of(worker_.child.pid(), worker_.child.uid());
}

// Of the device's memory, beside what others held before and what the parked ones hold.
std::int64_t Session::held_on_device() {
  const std::int64_t held = device_memory().others - others_ - parking_.device_bytes();
  if (held < 0) others_ += held;  // somebody else has gone
  return std::max<std::int64_t>(0, held);
}

// A driver tells how much of a device's memory is taken, and not surely by whom: what is missing may be
// somebody else's, who shares the device. What comes back when the worker ends was the worker's, unless
// somebody else left in that moment: so it is accused when a second process of its own shows the same.
std::variant<Session::Bound, Failure> Session::bound_device_memory() {
  const std::int64_t most = limits_.device_memory > 0 ? limits_.device_memory : device_.memory / 4 * 3;
  const std::int64_t before = held_on_device();
  if (before <= most) return Bound::held;
  const std::filesystem::path plugin = worker_.plugin;
  const std::string key = worker_.key;
  if (const auto found = release()) return *found;
  std::int64_t left = held_on_device();
  for (int looks = 0; looks < 10 && left > 0; ++looks) {  // a driver may take a while
    std::this_thread::sleep_for(milliseconds(20));
    left = held_on_device();
  }
  const std::int64_t held = before - left;
  if (held > most && !suspected_.insert(plugin).second)
    return Failure{Verdict::out_of_memory, fmt::format("held {} MiB of the device's memory, more than {} MiB",
                                                       held >> 20, most >> 20)};
  others_ += left;
  const auto started = start(plugin, key);
  if (const auto* failure = std::get_if<Failure>(&started)) return *failure;
  return Bound::renewed;
}

bool Session::memory_ran_out() const { return kernel_memory_kills() > memory_kills_; }

}  // namespace podium::contest
