// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/worker_watch.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string>

#include "suite/base/user.hpp"

namespace podium::contest {
namespace {

constexpr std::chrono::milliseconds between_looks{100};

// Processes that the kernel has ended since the machine started, for want of memory; 0 where it does not
// count them.
std::int64_t kernel_kills() {
  std::ifstream file("/proc/vmstat");
  std::string name;
  for (std::int64_t value = 0; file >> name >> value;)
    if (name == "oom_kill") return value;
  return 0;
}

}  // namespace

void WorkerWatch::begin_process() { kernel_kills_ = kernel_kills(); }

bool WorkerWatch::memory_ran_out() const { return kernel_kills() > kernel_kills_; }

Failure WorkerWatch::excess_of_memory() const {
  return {Verdict::out_of_memory, fmt::format("more than {} MiB of host memory", memory_ >> 20)};
}

bool WorkerWatch::look(sandbox::Child& worker) {
  const auto now = std::chrono::steady_clock::now();
  if (!worker || ended_for_ || now < next_look_) return false;
  next_look_ = now + between_looks;
  const sandbox::Usage usage = worker.usage();
  if (usage.processes > sandbox::most_processes)
    end(worker, {Verdict::too_many_processes,
                 fmt::format("more than {} processes at once", sandbox::most_processes)});
  else if (worker.exceeds(memory_, usage))
    end(worker, excess_of_memory());
  return ended_for_.has_value();
}

bool WorkerWatch::time_out(sandbox::Child& worker, std::chrono::seconds limit) {
  if (!worker || ended_for_) return false;
  end(worker, {Verdict::hung, fmt::format("no answer in {} s", limit.count())});
  return true;
}

void WorkerWatch::end(sandbox::Child& worker, const Failure& why) {
  ended_for_ = why;
  kill_all_of(worker.pid(), worker.uid());
}

}  // namespace podium::contest
