// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Stops a worker while the judge writes inputs: on the CPU the arena is in its memory, and a thread that
// watched it would have its answer before the gate opens.
#pragma once
#include <sys/types.h>

namespace podium::judge {

// From construction to destruction no thread of the process group that `leader` leads runs. Throws
// podium::Error if a thread of the leader has not stopped within a second.
class Freeze {
 public:
  explicit Freeze(pid_t leader);
  ~Freeze();
  Freeze(const Freeze&) = delete;
  Freeze& operator=(const Freeze&) = delete;

 private:
  pid_t leader_;
};

}  // namespace podium::judge
