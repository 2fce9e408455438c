// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a worker and all that it started take of the machine.
#pragma once
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
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

struct Usage {
  std::int64_t bytes = 0;  // resident, what processes share counted for each; 0: all have ended
  int processes = 0;
};

// Looks at the processes of a group. To find those that began since the last look it must look through all
// of the machine's, and does so only if one did begin, and for at most a twentieth of the time.
class ProcessTree {
 public:
  ProcessTree() = default;
  ProcessTree(pid_t leader, uid_t uid) : leader_(leader), uid_(uid) {}  // uid 0: podium's own
  Usage usage();
  // Resident bytes of those that usage() found last, what they share counted once. Slow: the kernel walks
  // their page tables. Nothing where it does not tell podium.
  std::optional<std::int64_t> bytes() const;

 private:
  using clock = std::chrono::steady_clock;
  void find_members();

  pid_t leader_ = -1;
  uid_t uid_ = 0;
  std::vector<pid_t> members_;  // the leader not among them
  long newest_ = -1;            // process of the machine when they were looked for
  clock::time_point next_{};    // before which they are not looked for again
};

}  // namespace podium::sandbox
