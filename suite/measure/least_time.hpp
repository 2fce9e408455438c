// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The least time that a device's memory and arithmetic allow for a piece of work. Plain numbers in, plain
// numbers out. `light_time` is the speed of light, from every measured rate; `physical_floor` is what no
// believable time is below, and arithmetic sets none: docs/measuring.md says why.
#pragma once

namespace podium::measure {

struct Ceilings {
  double copy = 0;             // bytes a second, read and written; 0: not measured
  double read = 0, write = 0;  // the same of reading and of writing alone; 0: not measured, copy counts
  double arithmetic = 0;       // operations a second; 0: not known
};

struct Work {
  double bytes = 0;    // least traffic
  double written = 0;  // of these; negative: not known, half of them as in a copy
  double flops = 0;
};

struct LightTime {
  double seconds = 0;       // 0: the ceilings do not tell
  bool arithmetic = false;  // arithmetic takes longer than memory
  bool weighed = false;     // work has so many operations that it needed a rate of arithmetic
};

// Seconds that memory takes. The share of bytes that is read and written alike moves at the rate of a copy,
// the rest at the rate of reading or of writing alone.
double memory_time(const Work& work, const Ceilings& ceilings);

// The longer of the times that memory and arithmetic take. Unknown arithmetic counts as none where work has
// few operations a byte.
LightTime light_time(const Work& work, const Ceilings& ceilings);

struct Traffic {
  double read = 0, written = 0;  // bytes of inputs and outputs
  double stated = 0;             // bytes that the problem says move at least; no more than these count
};

// Microseconds. Inputs come from memory, since caches were flushed; of the outputs, what the last cache
// (`cache` bytes) cannot hold has to go there. `copy_rate`: measured bytes a second, read and written; a
// tenth is left off, for reading alone is up to 7 % faster than copying (measured on an H200).
double physical_floor(const Traffic& traffic, double cache, double copy_rate);

}  // namespace podium::measure
