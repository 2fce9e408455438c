// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Where the cells of global memory lie: beside each allocation that is touched, for each worker.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "emulators/nvidia/device/races.hpp"
#include "emulators/nvidia/device/team.hpp"

namespace podium::ptx {
namespace {

constexpr u64 most_threads = 1u << 31;        // numbers of a process's, before they begin anew
constexpr u64 most_watched = u64{256} << 20;  // bytes of an allocation: nine times as many are taken here

bool watching = true;

struct Watched {
  void* memory;
  Cell* cells;
  u64 bytes;  // of memory
};
// What one worker saw.
struct Watch {
  std::map<std::pair<u64, u64>, Watched> all;
  std::vector<Watched> retired;  // of allocations that are gone: a running kernel may know them still
};
std::array<Watch, most_workers>& watches() {
  static auto* const all = new std::array<Watch, most_workers>;
  return *all;
}

}  // namespace

void watch_no_global_memory() { watching = false; }

Cell* cells_of(u64 begin, u64 end, u32 worker) {
  if (!watching || end - begin > most_watched) return nullptr;
  auto& [all, retired] = watches()[worker];
  const auto found = all.find({begin, end});
  if (found != all.end()) return found->second.cells;
  // Another allocation may have lain there.
  for (auto old = all.begin(); old != all.end();)
    if (old->first.first < end && begin < old->first.second) {
      retired.push_back(old->second);
      old = all.erase(old);
    } else {
      ++old;
    }
  constexpr u64 line = 64;
  const u64 words = (end - begin / 4 * 4 + 3) / 4;
  const u64 head = (words / words_of_chunk + 1) * sizeof(u32) / line * line + line;
  const u64 bytes = head + words * sizeof(Cell);
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  Cell* const cells = reinterpret_cast<Cell*>(static_cast<u8*>(memory) + head);
  all[{begin, end}] = {memory, cells, bytes};
  return cells;
}

void make_real([[maybe_unused]] Cell* cells, [[maybe_unused]] u64 begin, [[maybe_unused]] u64 from,
               [[maybe_unused]] u64 to) {
#ifdef MADV_POPULATE_WRITE
  constexpr u64 page = 4096, word_bytes = 4;
  const u64 first = reinterpret_cast<u64>(cells + (from / word_bytes - begin / word_bytes)) / page * page;
  const u64 last = reinterpret_cast<u64>(cells + (to / word_bytes - begin / word_bytes));
  static_cast<void>(madvise(reinterpret_cast<void*>(first), last - first, MADV_POPULATE_WRITE));
#endif
}

void forget_cells(u64 begin, u64 end) {
  for (const Watch& watch : watches())
    for (const auto& [range, watched] : watch.all) {
      const u64 from = std::max(begin, range.first) / 4, to = (std::min(end, range.second) + 3) / 4;
      if (from < to)
        std::fill(watched.cells + (from - range.first / 4), watched.cells + (to - range.first / 4), Cell{});
    }
}

void give_cells_back(u32 worker) {
  for (const auto& [range, watched] : watches()[worker].all)
    madvise(watched.memory, watched.bytes, MADV_DONTNEED);
}

u32 first_number(u64 threads) {
  static u64 next = 1;
  const bool anew = next + threads >= most_threads;  // all begins anew
  for (Watch& watch : watches()) {
    for (const Watched& gone : watch.retired) munmap(gone.memory, gone.bytes);
    watch.retired.clear();
    if (!anew) continue;
    for (const auto& [range, watched] : watch.all) munmap(watched.memory, watched.bytes);
    watch.all.clear();
  }
  if (anew) next = 1;
  const u64 first = next;
  next += threads;
  return static_cast<u32>(first);
}

}  // namespace podium::ptx
