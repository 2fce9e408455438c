// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/idle_spinner.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "suite/base/cpu_relax.hpp"

namespace podium::judge {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds patience{
    20};  // with a thread that is to leave: others may have its processor
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
  for (; at_work_ && left < told_ + patience; left = clock::now()) cpu_relax();
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

}  // namespace podium::judge
