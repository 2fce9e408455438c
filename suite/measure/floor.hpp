// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The least time that a device's memory allows for a call. Plain numbers in, plain numbers out. Arithmetic
// sets no floor: docs/measuring.md says why.
#pragma once

namespace podium::measure {

struct Traffic {
  double read = 0, written = 0;  // bytes of inputs and outputs
  double stated = 0;             // bytes that the problem says move at least; no more than these count
};

// Microseconds. Inputs come from memory, since caches were flushed; of the outputs, what the last cache
// (`cache` bytes) cannot hold has to go there. `copy_rate`: measured bytes a second, read and written; a
// tenth is left off, for reading alone is up to 7 % faster than copying (measured on an H200).
double physical_floor(const Traffic& traffic, double cache, double copy_rate);

}  // namespace podium::measure
