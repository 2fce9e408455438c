// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What /proc says of a process or a thread: proc(5).
#pragma once
#include <sys/types.h>

namespace podium {

struct ProcessStat {
  char state = 0;      // a letter; 0: it is gone
  pid_t group = -1;    // the process group
  int processor = -1;  // on which it ran last
};

// Of an open /proc/PID/stat, from its beginning.
ProcessStat read_stat(int file);
ProcessStat stat_of(pid_t pid);

}  // namespace podium
