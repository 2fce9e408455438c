// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/sandbox/hold.hpp"

#include <sys/ptrace.h>
#include <sys/wait.h>

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <set>
#include <thread>

#include "suite/base/process_stat.hpp"
#include "suite/base/stopped_group.hpp"

namespace podium::sandbox {
namespace {

using clock = std::chrono::steady_clock;

constexpr int event_of_status = 16;  // bits to the right of it: ptrace(2)

bool has_ended(pid_t thread) {
  const char state = stat_of(thread).state;
  return state == 0 || state == 'Z' || state == 'X';
}

}  // namespace

Hold::Seized Hold::seize(pid_t process, pid_t thread, clock::time_point end) {
  // Interrupted as well: a thread that has been woken meanwhile is not stopped by SIGSTOP any more.
  if (ptrace(PTRACE_SEIZE, thread, nullptr, PTRACE_O_EXITKILL) != 0)
    return has_ended(thread) ? Seized::ended : Seized::refused;
  held_.push_back({process, thread, 0});
  ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
  for (int status = 0; clock::now() < end; std::this_thread::yield()) {
    const pid_t found = waitpid(thread, &status, __WALL | WNOHANG);
    if (found == 0) continue;
    if (found == thread && WIFSTOPPED(status)) {
      if (status >> event_of_status == 0) held_.back().signal = WSTOPSIG(status);
      return Seized::held;
    }
    held_.pop_back();
    return Seized::ended;
  }
  return Seized::refused;
}

// Ends a process group unless it is over in time. A seizure can wait for a thread that executes another
// program, which waits for threads that are held: ptrace has no limit of its own.
class Hold::Watch {
 public:
  Watch(pid_t leader, std::chrono::milliseconds patience)
      : thread_([this, leader, patience] {
          std::unique_lock lock(mutex_);
          if (!over_.wait_for(lock, patience, [this] { return is_over_; })) kill(-leader, SIGKILL);
        }) {}
  ~Watch() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    over_.notify_one();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable over_;
  bool is_over_ = false;
  std::thread thread_;  // last: it uses the others
};

std::optional<Hold> Hold::of(pid_t leader, std::chrono::milliseconds patience) {
  Hold hold(leader);
  const Watch watch(leader, patience);
  const auto end = clock::now() + patience;
  std::set<pid_t> known;
  // Whoever is held begins nothing: when no other is found there is none.
  for (bool found = true; found;) {
    found = false;
    for (const auto& [process, thread] : tasks_of(leader)) {
      if (!known.insert(thread).second) continue;
      found = true;
      if (hold.seize(process, thread, end) == Seized::refused) return std::nullopt;
    }
  }
  return hold;
}

void Hold::let_go() {
  std::erase_if(
      held_, [](const Held& each) { return ptrace(PTRACE_DETACH, each.thread, nullptr, each.signal) == 0; });
  reap();  // one that cannot be let go has been killed
  held_.clear();
}

// A thread that has ended is kept for the one that traces it, and its process until then for its parent.
void Hold::reap() const {
  for (const bool first : {false, true})  // threads of each process
    for (const Held& each : held_)
      if ((each.thread == each.process) == first && each.thread != leader_)
        waitpid(each.thread, nullptr, __WALL);
}

Hold::~Hold() {
  for (const Held& each : held_) kill(each.process, SIGKILL);
  reap();
}

}  // namespace podium::sandbox
