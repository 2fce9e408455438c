// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/footprint.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string_view>

#include "emulators/nvidia/device/device_memory.hpp"
#include "emulators/nvidia/device/prerequisite.hpp"
#include "emulators/nvidia/device/races.hpp"
#include "emulators/nvidia/device/scheduler.hpp"
#include "emulators/nvidia/device/team.hpp"

namespace podium::ptx {
namespace {

constexpr u64 word_bytes = 4, words_together = 64;  // of a bit each

}  // namespace

void KeptMemory::keep(u64 begin, u64 end) {
  const std::lock_guard lock(mutex_);
  const auto* const from = reinterpret_cast<const u8*>(begin);
  if (!chunks_.contains(begin)) chunks_.emplace(begin, std::vector<u8>(from, from + (end - begin)));
}
void KeptMemory::restore() const {
  for (const auto& [at, bytes] : chunks_) std::memcpy(reinterpret_cast<u8*>(at), bytes.data(), bytes.size());
}

Footprint::Footprint(std::size_t sites) : kept_(nullptr), of_site_(sites), keeps_reads_apart_(false) {
  static const std::atomic<bool> never{false};
  abandoned_ = &never;
}

Footprint::Range& Footprint::range_at(u64 at) {
  if (last_ && at >= last_->begin && at < last_->end) return *last_;
  auto next = ranges_.upper_bound(at);
  if (next == ranges_.begin() || std::prev(next)->second.end <= at) {
    const emulation::Window window = *device_memory().find(at, 1);
    const auto allocation = device_memory().starting(reinterpret_cast<const void*>(window.begin));
    const u64 base = window.begin / chunk_bytes * chunk_bytes;
    // What the host may write meanwhile cannot be put back; reads of constants are not noted.
    static constexpr std::array<std::string_view, 5> kinds{
        "__constant__", "registered host memory", "cudaMallocManaged", "cudaMallocHost", "cudaHostAlloc"};
    const bool is_fixed =
        std::ranges::any_of(kinds, [&](std::string_view kind) { return allocation->what.starts_with(kind); });
    Range range{window.begin, window.end, base, is_fixed, {}};
    range.chunks.resize((window.end - base + chunk_bytes - 1) / chunk_bytes);
    next = std::next(ranges_.insert_or_assign(window.begin, std::move(range)).first);
  }
  return *(last_ = &std::prev(next)->second);
}

Footprint::Marked Footprint::mark(u64 at, u64 bytes, bool write, const Site* site, std::size_t site_index) {
  Range* range = site ? of_site_[site_index] : nullptr;
  if (!range || at < range->begin || at >= range->end) {
    range = &range_at(at);
    if (site) of_site_[site_index] = range;
  }
  if (write && kept_ && range->fixed) return Marked::fixed;
  u64 word = (at - range->base) / word_bytes;
  const u64 end = std::min((at - range->base + bytes + word_bytes - 1) / word_bytes,
                           range->chunks.size() * (chunk_bytes / word_bytes));
  while (word < end) {
    constexpr u64 words = chunk_bytes / word_bytes;
    auto& chunk = range->chunks[word / words];
    if (!chunk) {
      chunk = std::make_unique<Chunk>();
      if (site && site->cells && (write || !keeps_reads_apart_)) {
        const u64 first = range->base + word / words * chunk_bytes;
        make_real(site->cells, site->begin, std::max(first, site->begin),
                  std::min(first + chunk_bytes, site->begin + site->limit + 1));
      }
    }
    const u64 bit = word % words_together, count = std::min(words_together - bit, end - word);
    const u64 bits = (count == words_together ? ~u64{0} : (u64{1} << count) - 1) << bit;
    const u64 place = word % words / words_together;
    if (keeps_reads_apart_ && ((write ? chunk->read : chunk->written)[place] & bits) != 0)
      return Marked::together;
    if (!write) {
      chunk->read[place] |= bits;
    } else if ((chunk->written[place] & bits) != bits) {
      if (kept_ && std::ranges::all_of(chunk->written, [](u64 some) { return some == 0; })) {
        const u64 first = range->base + word / words * chunk_bytes;
        kept_->keep(std::max(first, range->begin), std::min(first + chunk_bytes, range->end));
      }
      chunk->written[place] |= bits;
    }
    word += count;
  }
  return Marked::well;
}

bool Footprint::conflicts_with(const Footprint& other) const {
  for (const auto& [begin, mine] : ranges_) {
    const auto found = other.ranges_.find(begin);
    if (found == other.ranges_.end()) continue;
    const Range& theirs = found->second;
    for (std::size_t i = 0; i < std::min(mine.chunks.size(), theirs.chunks.size()); ++i) {
      const Chunk *const a = mine.chunks[i].get(), *const b = theirs.chunks[i].get();
      if (!a || !b) continue;
      for (std::size_t k = 0; k < a->read.size(); ++k)
        if ((a->written[k] & (b->read[k] | b->written[k])) != 0 || (a->read[k] & b->written[k]) != 0)
          return true;
    }
  }
  return false;
}

bool Footprint::touched(u64 at, u64 bytes, bool or_read) const {
  auto next = ranges_.upper_bound(at);
  if (next == ranges_.begin()) return false;
  const Range& range = std::prev(next)->second;
  if (at >= range.end) return false;
  const u64 end = std::min(at + bytes, range.end);
  for (u64 word = (at - range.base) / word_bytes; word < (end - range.base + word_bytes - 1) / word_bytes;
       ++word) {
    const Chunk* const chunk = range.chunks[word / (chunk_bytes / word_bytes)].get();
    if (!chunk) continue;
    const u64 place = word / words_together % chunk->read.size();
    if (((chunk->written[place] | (or_read ? chunk->read[place] : 0)) >> word % words_together & 1) != 0)
      return true;
  }
  return false;
}

void leave_footprint(GpuThread& thread, int line, u64 at, u64 bytes, bool write, const Site* site) {
  if (bytes == 0) return;
  if (thread.before_wait) touch_before_wait(thread, line, at, bytes, write);
  Footprint* const footprint = thread.footprint;
  if (!footprint) return;
  const std::size_t index = site ? static_cast<std::size_t>(site - thread.sites) : 0;
  Team* const team = launch().team();
  if (!team || !team->abandoned()) {
    auto marked = Footprint::Marked::fixed;
    try {
      marked = footprint->mark(at, bytes, write, site, index);
    } catch (const std::bad_alloc&) {  // cannot leave a fiber; one thread takes less
    }
    if (marked == Footprint::Marked::well || !team) return;
    if (marked == Footprint::Marked::together) team->reads_what_it_writes();
  }
  launch().abandon();
}

}  // namespace podium::ptx
