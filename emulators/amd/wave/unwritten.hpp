// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Bits of scalar registers that were never written, or were made from such bits: followed where the
// translator finds that an instruction may read one (translate/unwritten.py).
#pragma once
#include <cstdint>

#include "access.hpp"
#include "value.hpp"

namespace podium::amd {

inline void set_unwritten(Wave* w, int i, int bits, std::uint64_t value) {
  w->unwritten[i] = static_cast<std::uint32_t>(value);
  if (bits == 64) w->unwritten[i + 1] = static_cast<std::uint32_t>(value >> 32);
}

// As a kernel begins: written are the first `count` registers, EXEC, and those of the trap handler if `trap`.
[[gnu::noinline]] inline void begin_unwritten(Wave* w, int count, bool trap) {
  constexpr int trap_first = 115, trap_last = 117;
  for (int i = 0; i < scalar_registers; ++i)
    w->unwritten[i] = i < count || i >= exec || (trap && i >= trap_first && i <= trap_last) ? 0 : ~0u;
}

// Nothing is followed through calls.
[[gnu::noinline]] inline void forget_unwritten(Wave* w) {
  for (std::uint32_t& bits : w->unwritten) bits = 0;
}

// Of bitwise operations: a bit of the result is known if one operand's alone decides it.
inline std::uint64_t unwritten_and(std::uint64_t a, std::uint64_t x, std::uint64_t b, std::uint64_t y) {
  return (a & b) | (a & y) | (b & x);
}
inline std::uint64_t unwritten_or(std::uint64_t a, std::uint64_t x, std::uint64_t b, std::uint64_t y) {
  return unwritten_and(a, ~x, b, ~y);
}
// Of sums and products: a carry goes upward alone.
inline std::uint64_t unwritten_sum(std::uint64_t a, std::uint64_t b) { return (a | b) | (0 - (a | b)); }

// A register that an instruction cannot do without. 0, or that it stops.
[[gnu::noinline]] inline int needs_written(Wave* w, Group* g, std::uint64_t pc, int i) {
  return w->unwritten[i] == 0 ? 0 : fault(w, g, Kind::unset_scalar, pc, static_cast<unsigned>(i), 4, 0);
}

}  // namespace podium::amd
