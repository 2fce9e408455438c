// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Memory as translated code reaches it: every access is looked at before it is made.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "state.hpp"

namespace podium::amd {

// Registers s[i] and s[i + 1] as one. Inlined in code that is not optimised as well: every instruction reads
// EXEC.
[[gnu::always_inline]] inline std::uint64_t pair(const Wave* w, int i) {
  return w->s[i] | std::uint64_t{w->s[i + 1]} << 32;
}
[[gnu::always_inline]] inline void set_pair(Wave* w, int i, std::uint64_t x) {
  w->s[i] = static_cast<std::uint32_t>(x);
  w->s[i + 1] = static_cast<std::uint32_t>(x >> 32);
}

inline bool inside(Group* g, std::uint64_t address, std::uint64_t bytes) {
  if (address >= g->low && address + bytes <= g->high && address + bytes >= address) [[likely]]
    return true;
  return g->find(*g, address, bytes);
}

// Says, too, whether it changes memory, which is looked at until something does.
[[gnu::always_inline]] inline void store(bool& changed, std::uint8_t* to, const void* from,
                                         std::size_t bytes) {
  if (!changed) [[unlikely]]
    changed = std::memcmp(to, from, bytes) != 0;
  std::memcpy(to, from, bytes);
}

inline int fault(Wave* w, Group* g, Kind kind, std::uint64_t pc, std::uint64_t address, std::uint32_t bytes,
                 int lane) {
  g->fault = {kind, pc, address, bytes, static_cast<std::uint32_t>(lane), w->index};
  return static_cast<int>(Stop::faulted);
}

inline void set_beyond(Wave* w, int i, std::uint64_t address) {
  w->beyond += static_cast<std::uint32_t>(address != 0) - static_cast<std::uint32_t>(w->beyond_from[i] != 0);
  w->beyond_from[i] = address;
}

// Words into s[to] and up, never from behind an allocation: what is asked for there is noted. False: not even
// the first lies inside one.
inline bool load_scalar(Wave* w, Group* g, int to, std::uint64_t address, int words) {
  address &= ~std::uint64_t{3};
  if (!inside(g, address, 4)) return false;
  int there = words;
  while (there > 1 && !inside(g, address, std::uint64_t{4} * static_cast<unsigned>(there))) --there;
  std::memcpy(&w->s[to], reinterpret_cast<const void*>(address),
              std::size_t{4} * static_cast<unsigned>(there));
  if (there < words || w->beyond != 0)
    for (int i = 0; i < words; ++i)
      set_beyond(w, to + i, i < there ? 0 : address + std::uint64_t{4} * static_cast<unsigned>(i));
  return true;
}

// Before an instruction that reads and writes the registers of these masks (of s[0] to s[63], and s[64] and
// up): 0, or that it stops because it reads a word from behind an allocation.
[[gnu::noinline]] inline int uses(Wave* w, Group* g, std::uint64_t pc, std::uint64_t reads_low,
                                  std::uint64_t reads_high, std::uint64_t writes_low,
                                  std::uint64_t writes_high) {
  for (int i = 0; i < scalar_registers; ++i) {
    const auto named = [i](std::uint64_t low, std::uint64_t high) {
      return (i < 64 ? low : high) >> (i & 63) & 1;
    };
    if (named(reads_low, reads_high) && w->beyond_from[i] != 0)
      return fault(w, g, Kind::used_beyond, pc, w->beyond_from[i], 4, 0);
    if (named(writes_low, writes_high)) set_beyond(w, i, 0);
  }
  return 0;
}

// A register's copy has what the register has.
inline void move_beyond(Wave* w, int to, int from, int words) {
  std::uint64_t moved[2] = {};
  for (int i = 0; i < words; ++i) moved[i] = w->beyond_from[from + i];
  for (int i = 0; i < words; ++i) set_beyond(w, to + i, moved[i]);
}

// How many of `bytes` at an offset into a buffer of that size are within it: each word by itself.
inline std::uint32_t buffer_room(std::uint64_t offset, std::uint32_t bytes, std::uint32_t size) {
  const std::uint32_t unit = bytes < 4 ? bytes : 4;
  std::uint32_t room = 0;
  while (room < bytes && offset + room + unit <= size) room += unit;
  return room;
}

// Whether the buffer described from s[r] on is one whose elements lie apart from each other, or to whose
// index the lane's number is added.
inline bool swizzled(const Wave* w, int r, bool cdna) {
  return w->s[r + 1] >> (cdna ? 31 : 30) || w->s[r + 3] >> 23 & 1;
}

// The same of an access with an index. With no stride the size is one in bytes. With one, CDNA counts
// records; RDNA does what its descriptor selects: 0: records, and what the offset reaches must lie in one; 1:
// records; 2: anything, unless the buffer is empty; 3: bytes.
inline std::uint32_t indexed_room(const Wave* w, int r, bool cdna, std::uint32_t index, std::uint32_t stride,
                                  std::uint32_t offset, std::uint64_t within, std::uint32_t bytes) {
  const std::uint32_t size = w->s[r + 2], select = cdna ? (stride == 0 ? 3 : 1) : w->s[r + 3] >> 28 & 3;
  if (select == 3) return buffer_room(within, bytes, size);
  if (select == 2) return size == 0 ? 0 : bytes;
  if (index >= size) return 0;
  return select == 1 ? bytes : buffer_room(offset, bytes, stride);
}

// Words of a buffer into s[to] and up; zeros from behind its end. False: what its size allows is not
// allocated.
inline bool load_scalar_buffer(Wave* w, Group* g, int to, std::uint64_t base, std::uint64_t offset, int words,
                               std::uint32_t size) {
  const std::uint64_t at = offset & ~std::uint64_t{3};
  const std::uint32_t room = buffer_room(at, static_cast<std::uint32_t>(4 * words), size);
  if (room != 0 && !inside(g, base + at, room)) return false;
  std::memset(&w->s[to], 0, std::size_t{4} * static_cast<unsigned>(words));
  std::memcpy(&w->s[to], reinterpret_cast<const void*>(base + at), room);
  if (w->beyond != 0)
    for (int i = 0; i < words; ++i) set_beyond(w, to + i, 0);
  return true;
}

inline void note_race(Wave* w, Group* g, std::uint64_t pc, std::uint32_t address, std::uint32_t bytes,
                      int lane, std::uint32_t with) {
  g->race = {Kind::none, pc, address, bytes, static_cast<std::uint32_t>(lane), w->index};
  g->raced_with = with;
}

// Whether what lane `lane` reads there is set: written, and not by another wave since the last barrier.
inline bool read_lds(Wave* w, Group* g, std::uint64_t pc, std::uint32_t address, std::uint32_t bytes,
                     int lane) {
  const std::uint32_t mine = w->index + 1, now = g->phase << 8;
  bool set = true;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    LdsByte& byte = g->marks[address + i];
    const std::uint32_t writer = byte.wrote & 255;
    if (byte.wrote == 0 || (byte.wrote > now && writer != mine && writer != 255)) {
      if (set) note_race(w, g, pc, address, bytes, lane, byte.wrote == 0 ? 255 : writer - 1);
      set = false;
    }
    byte.read = byte.read > now && (byte.read & 255) != mine ? now | 255 : now | mine;
  }
  return set;
}

// Before a lane writes; `set`: whether what it writes is. False: another wave has read it since the last
// barrier, or written something else.
inline bool write_lds(Wave* w, Group* g, std::uint64_t pc, std::uint32_t address, std::uint32_t bytes,
                      const void* data, int lane, bool set, bool& changed) {
  const std::uint32_t mine = w->index + 1, now = g->phase << 8;
  bool alone = true;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    LdsByte& byte = g->marks[address + i];
    const std::uint32_t writer = byte.wrote & 255, reader = byte.read & 255;
    const bool read = byte.read > now && reader != mine;
    const bool written = byte.wrote > now && writer != mine && writer != 255 &&
                         g->lds[address + i] != static_cast<const std::uint8_t*>(data)[i];
    if (alone && (read || written)) {
      note_race(w, g, pc, address, bytes, lane, read ? (reader == 255 ? 254 : reader - 1) : writer - 1);
      alone = false;
    }
    byte.wrote = set ? now | mine : 0;
  }
  store(changed, g->lds + address, data, bytes);
  return alone;
}

// Atomics order themselves: they neither race nor need a barrier, and what they leave is set.
inline bool touch_lds(Group* g, std::uint32_t address, std::uint32_t bytes) {
  bool set = true;
  for (std::uint32_t i = 0; i < bytes; ++i) {
    set = set && g->marks[address + i].wrote != 0;
    g->marks[address + i].wrote = (g->phase << 8) | 255;
  }
  return set;
}

inline void mark(std::uint64_t& word, int lane, bool on) {
  const std::uint64_t bit = std::uint64_t{1} << lane;
  word = on ? word | bit : word & ~bit;
}

}  // namespace podium::amd
