// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The speed of light: the least time that a device's measured rates allow for a piece of work. Plain numbers
// in, plain numbers out.
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
};

// Seconds that memory takes. The share of bytes that is read and written alike moves at the rate of a copy,
// the rest at the rate of reading or of writing alone.
double memory_time(const Work& work, const Ceilings& ceilings);

// The longer of the times that memory and arithmetic take. Unknown arithmetic counts as none where work has
// few operations a byte.
LightTime light_time(const Work& work, const Ceilings& ceilings);

}  // namespace podium::measure
