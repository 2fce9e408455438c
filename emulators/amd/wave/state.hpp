// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a wave and its group of waves are made of. The runtime makes them, translated code works on them: both
// sides are compiled against this file, and the translator's version covers it.
#pragma once
#include <cstdint>

namespace podium::amd {

inline constexpr int most_lanes = 64, scalar_registers = 128, vector_registers = 512;

// Numbers that AMD's encoding of operands gives to special scalar registers.
inline constexpr int vcc = 106, exec = 126;

// High words of the addresses that mean a group's LDS, or a lane's scratch, in an instruction that takes any
// address. Above every address that a process has.
inline constexpr std::uint64_t lds_aperture = 0x7fff0000, scratch_aperture = 0x7ffe0000;

// High word of the buffer by which gfx90a reaches scratch; a descriptor has 48 bits for it.
inline constexpr std::uint64_t scratch_buffer = 0xfffe;

// One wave. Vector register r of lane l is v[r][l]; the accumulation registers of CDNA are v[256] and up.
struct Wave {
  std::uint32_t s[scalar_registers + 2];
  std::uint32_t v[vector_registers][most_lanes];
  // Bit l of entry r: what lane l has in register r was never written, or came from such a thing.
  std::uint64_t unset[vector_registers];
  std::uint64_t pc;  // where to go on, as an offset in the code object
  std::uint32_t scc;
  std::uint32_t mode;     // the hardware register of that name: see mode.hpp
  std::uint8_t* scratch;  // of all lanes, one after the other
  std::uint32_t index;    // within its group
  // Of each scalar register the address, behind the end of an allocation, that a wide load asked for; 0:
  // none. `beyond` counts those that are not 0.
  std::uint64_t beyond_from[scalar_registers + 2];
  std::uint32_t beyond;
  std::uint32_t unwritten[scalar_registers + 2];  // of each scalar register the bits: see unwritten.hpp
  std::int32_t patience;                          // backward branches until another wave has its turn
};

// Why translated code returned.
enum class Stop : int { ended = 0, barrier = 1, turn = 2, faulted = 3 };

enum class Kind : std::uint32_t {
  none,
  outside,      // global memory: not inside one allocation
  outside_lds,  // beyond what the group has
  outside_scratch,
  unset_store,  // stores what was never written
  unset_address,
  unset_scalar,  // a scalar register that was never written: `address` is its number
  used_beyond,   // a scalar register that was loaded from behind an allocation
  unknown,       // an instruction that the emulator does not know
  jump,          // to where no instruction begins
  trap,
  deadlock,  // all waves wait for what none of them does
  race,      // writes LDS that another wave has read or written, with no barrier between
};

struct Fault {
  Kind kind = Kind::none;
  std::uint64_t pc = 0, address = 0;
  std::uint32_t bytes = 0, lane = 0, wave = 0;
};

// A byte of LDS: who wrote and who read it, and between which barriers.
struct LdsByte {
  std::uint32_t wrote = 0;  // 0: nobody yet; else the phase shifted by 8, and 1 + the wave's index
  std::uint32_t read = 0;   // the same; 255 for several waves
};

struct Group;
using FindAllocation = bool (*)(Group&, std::uint64_t address, std::uint64_t bytes);

// A group of waves that share LDS.
struct Group {
  std::uint64_t base = 0;  // address of the code object
  std::uint8_t* lds = nullptr;
  LdsByte* marks = nullptr;
  std::uint64_t lds_bytes = 0;
  std::uint64_t scratch_bytes = 0;  // of a lane
  std::uint64_t low = 0, high = 0;  // of the allocation that was found last
  FindAllocation find = nullptr;    // any other; sets low and high
  std::uint32_t phase = 1;          // counts barriers
  std::uint64_t* writes = nullptr;  // that change memory, of all groups, and looks at a clock: so long as it
                                    // stands still, waiting is in vain
  std::uint64_t* cycles = nullptr;  // of the device: see clock.hpp
  Fault fault{};
  Fault race{};  // the last access to LDS that no barrier separates from another wave's, or to bytes never
                 // written
  std::uint32_t raced_with = 0;  // that wave; 255: nobody had written it
};

using Run = int (*)(Wave*, Group*);
using Text = const char* (*)(std::uint64_t pc);

}  // namespace podium::amd
