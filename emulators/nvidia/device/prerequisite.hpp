// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Programmatic dependent launches: a kernel may begin once all blocks of the one before it in its stream have
// executed griddepcontrol.launch_dependents, and what that one writes is there behind griddepcontrol.wait
// (PTX ISA 9.7.13.13). Here the one before has always ended; that a wait is missing is seen by what both
// touch.
#pragma once
#include <deque>
#include <string>

#include "emulators/nvidia/device/footprint.hpp"

namespace podium::ptx {

// What a launch touched of global memory, for the one behind it.
struct Touched {
  std::string kernel;
  std::deque<Footprint> by;  // a part of the launch each

  // Whether some of it was written; `or_read`: or read.
  bool any(u64 at, u64 bytes, bool or_read) const;
};

// A thread of a launch that has a prerequisite, and that has not waited for it, is going to read or write
// global memory: a mistake, if the prerequisite had to do with it, unless the thread knows of another one's
// wait.
void touch_before_wait(GpuThread&, int line, u64 at, u64 bytes, bool write);

}  // namespace podium::ptx
