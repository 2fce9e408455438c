// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Data races: two accesses of different threads to the same bytes, one of them a write, not both strong
// (atomic, relaxed, volatile), and neither ordered before the other (PTX ISA 8.7). Beside each word of memory
// lie its last write and two reads since; a later access is held against them.
#pragma once
#include <array>
#include <unordered_map>
#include <vector>

#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

struct GpuThread;

// One access of one thread.
struct Touch {
  u32 thread = 0;  // its number in the process; 0: none; or a copy's (copy_order.hpp)
  u32 epoch = 0;   // of that thread
  // Bytes of the word, a bit each; bit 4: strong; bit 5: cp.async; bit 6: of a word's last write, that other
  // bytes' last writes stand apart; from bit 8 on: the PTX line.
  u32 what = 0;

  bool operator==(const Touch&) const = default;
};
inline constexpr u32 bytes_mask = 15, strong_bit = 1 << 4, async_bit = 1 << 5, apart_bit = 1 << 6,
                     line_shift = 8;
inline constexpr u32 most_line = (1 << 24) - 1;
inline u32 shifted_line(int line) { return (static_cast<u32>(line) & most_line) << line_shift; }
inline int line_of(const Touch& touch) { return static_cast<int>(touch.what >> line_shift); }
// Of four bytes.
struct Cell {
  Touch write;
  Touch reads[2];  // of different warps, if there are such
};
// The last writes of each byte of words that are written by parts, which one touch a word cannot tell: of the
// cells that say so, in one launch. Such a word takes some 90 bytes here, beside its cell.
using BytesApart = std::unordered_map<const Cell*, std::array<Touch, 4>>;
// A thread's write that changed nothing, over another one's: a read of its own finds what it wrote itself.
struct Repeated {
  const Cell* cell = nullptr;
  Touch over;
  u32 bytes = 0;  // of the word, a bit each
};

// Of shared memory: of one cluster's blocks, one after another.
class SharedCells {
 public:
  void resize(u32 blocks, u32 bytes) {
    words_ = (bytes + 3) / 4;
    cells_.resize(static_cast<std::size_t>(words_) * blocks);
  }
  Cell* at(u32 address) { return &cells_[place(address)]; }
  // Those of the 16 bytes there are fetched, if there are such, while something else is done.
  void fetch(u32 address) const {
    constexpr std::size_t words = 4, line = 64;
    const std::size_t first = place(address);
    if (first + words > cells_.size()) return;
    const auto* const begin = reinterpret_cast<const char*>(&cells_[first]);
    for (std::size_t at = 0; at < words * sizeof(Cell); at += line) __builtin_prefetch(begin + at);
  }

 private:
  std::size_t place(u32 address) const {
    return static_cast<std::size_t>(address >> rank_shift) * words_ + (address & offset_mask) / 4;
  }

  std::size_t words_ = 0;
  std::vector<Cell> cells_;
};

// Of global memory, as a worker has them (team.hpp): nullptr for an allocation that is too large to be
// watched, and for all of them where this process has asked for that.
[[gnu::visibility("default")]] void watch_no_global_memory();
Cell* cells_of(u64 begin, u64 end, u32 worker);
// The pages of cells of [from, to), words of the allocation that begins at `begin`: made real at once. They
// are looked at before they are written, and each would be mapped twice, and the other processors told of it.
void make_real(Cell* cells, u64 begin, u64 from, u64 to);
// When which chunk of an allocation was last written by a thread, as the first number of a launch: before its
// cells lie those of its chunks, backwards.
inline constexpr u64 words_of_chunk = 1024;
inline u32& written_in(Cell* cells, u64 word) {
  return reinterpret_cast<u32*>(cells)[-1 - static_cast<s64>(word / words_of_chunk)];
}
// As if nobody had touched these bytes: a kernel's malloc gave them anew.
void forget_cells(u64 begin, u64 end);
// What a worker has touched goes back to the system, once its launch has ended: all its cells are empty then.
void give_cells_back(u32 worker);

// A copy of the thread is going to read global memory, which the site knows; it has left its footprint.
void touch_by_copy(GpuThread&, int line, const Site&, u64 at, u32 bytes);

// Numbers for the threads of a launch: the first of them. They stay unique while cells hold them.
u32 first_number(u64 threads);

// Memory was written by nobody who could be named: no race is seen with it.
void forget(GpuThread&, u32 shared_address, u32 bytes);

}  // namespace podium::ptx
