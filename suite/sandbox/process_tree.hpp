// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a worker and all that it started take of the machine.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace podium::sandbox {

// Threads and processes that a worker may have at once: some for each processor, since contestants for a CPU
// need many, and a bound for bombs.
int most_threads();
// That `uid` has now, of podium's machine.
int threads_of_user(uid_t uid);
std::vector<pid_t> processes_of_user(uid_t uid);  // also of those that have ended and nobody has reaped
// Processes beyond which a worker is ended; threads are none.
inline constexpr int most_processes = 256;

// Of a worker and all that it started, in oom_score_adj: the kernel ends it before anybody else when the
// machine has no memory left.
inline constexpr const char* first_to_go = "1000";

struct Usage {
  std::int64_t bytes = 0;  // resident, what processes share counted for each, and of files in memory alone
                           // that they hold open; 0: all have ended
  int processes = 0;
};

// Looks at the processes of a group. To find those that began since the last look it must look through all
// of the machine's, and does so only if one did begin, and for at most a twentieth of the time.
class ProcessTree {
 public:
  ProcessTree() = default;
  // uid 0: podium's own. `first`: all of it is to be the kernel's first choice, as it began.
  ProcessTree(pid_t leader, uid_t uid, bool first = false) : leader_(leader), uid_(uid), first_(first) {}
  Usage usage();
  // What usage() counts, of those that it found last, shared memory counted once. Slow: the kernel walks
  // their page tables. Nothing where it does not tell podium.
  std::optional<std::int64_t> bytes() const;
  // The same without what they share with others; of files in memory all.
  std::int64_t own_bytes();

 private:
  using clock = std::chrono::steady_clock;
  void find_members();
  std::vector<std::string> folders() const;

  pid_t leader_ = -1;
  uid_t uid_ = 0;
  bool first_ = false;
  std::vector<pid_t> members_;  // the leader not among them
  long newest_ = -1;            // process of the machine when they were looked for
  clock::time_point next_{};    // before which they are not looked for again
};

}  // namespace podium::sandbox
