// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/suspension.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <thread>
#include <utility>

#include "suite/base/cpu_relax.hpp"
#include "suite/base/error.hpp"

namespace podium::judge {
namespace {

using clock = std::chrono::steady_clock;

// With a thread that is to leave: others may have its processor.
constexpr std::chrono::microseconds leave_patience{20};
constexpr std::chrono::microseconds way_out{2};  // from its last word to where it sleeps

// Of this thread. False: such a processor is not allowed, or not there.
bool move_to(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (processor >= CPU_SETSIZE) return false;
  CPU_SET(processor, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

// "0,16" or "0-1"; none where the kernel does not say.
std::vector<std::pair<int, int>> siblings_of(int processor) {
  std::ifstream file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", processor));
  std::vector<std::pair<int, int>> ranges;
  for (int first = 0; file >> first; file.ignore(1)) {
    int last = first;
    if (file.peek() == '-') file.ignore(1) >> last;
    ranges.emplace_back(first, last);
  }
  return ranges;
}

}  // namespace

IdleSpinner::~IdleSpinner() {
  if (!thread_.joinable()) return;
  wanted_ = leave;
  wanted_.notify_one();
  thread_.join();
}

void IdleSpinner::spin_on(int processor) {
  if (processor < 0) return;
  if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
  wanted_ = processor;
  wanted_.notify_one();
}

void IdleSpinner::stop_spinning() {
  if (wanted_.exchange(nobody) != nobody) told_ = clock::now();
}

void IdleSpinner::wait_until_off() const {
  auto left = told_;
  for (; at_work_ && left < told_ + leave_patience; left = clock::now()) cpu_relax();
  while (clock::now() < left + way_out) cpu_relax();
}

void IdleSpinner::serve() {
  const sched_param none{};
  if (sched_setscheduler(0, SCHED_IDLE, &none) != 0) return;  // it would take what others need
  for (int on = nobody;;) {
    wanted_.wait(nobody);
    const int wanted = wanted_;
    if (wanted == leave) return;
    if (wanted != on && (wanted == nobody || !move_to(wanted))) {
      wanted_.wait(wanted);
      continue;
    }
    on = wanted;
    at_work_ = true;
    while (wanted_.load(std::memory_order_relaxed) == on) cpu_relax();
    at_work_ = false;
  }
}

bool IdleSpinner::can_poll_beside(std::size_t threads, int processor) {
  const int here = sched_getcpu();
  if (processor < 0 || here < 0 || 2 * (threads + 2) > static_cast<std::size_t>(processors_)) return false;
  const auto [found, is_new] = siblings_.try_emplace(processor);
  if (is_new) found->second = siblings_of(processor);
  const auto& ranges = found->second;
  return !ranges.empty() && std::ranges::none_of(ranges, [&](const auto& range) {
    return here >= range.first && here <= range.second;
  });
}

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
    throw Error(
        fmt::format("the worker's threads did not stop within {} s of processor time", longest.count()));
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
