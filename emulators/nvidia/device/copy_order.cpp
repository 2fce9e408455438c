// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/copy_order.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 places_of_row = 32;
constexpr std::size_t most_readings = 64;  // at mbarriers: the first are forgotten

bool reaches(const Knowledge* known, u32 of_clock, u32 place, u32 phase) {
  const u32* const epochs = known ? known->of_block(of_clock) : nullptr;
  return epochs && epochs[place] >= phase;
}

// Copies write whole words.
void write_words(Cluster& cluster, u32 address, u32 bytes, const Touch& touch) {
  Cell* const cells = cluster.cells.at(address);
  for (u32 i = 0; i < (bytes + 3) / 4; ++i) cells[i] = {.write = touch, .reads = {}};
}

}  // namespace

Moment Mbarrier::moment() const { return {of_clock, place, places_of_row, phase}; }

void Mbarrier::complete() {
  // A copy that has not written did not count in this phase: which ones did, nobody can rely on.
  const Moment copies = moment();
  met.complete(nullptr, of_clock != 0 && begun == 0 ? &copies : nullptr);
  ++phase;
}

void CopyOrder::clear() {
  any_ = false;
  entries_.clear();
  readings_.clear();
  of_clock_ = places_ = 0;
}

Moment CopyOrder::moment_at(const GpuThread& thread, u32 address) {
  Mbarrier& mbarrier = thread.block->cluster->mbarriers[address];
  if (mbarrier.of_clock == 0) {
    if (of_clock_ == 0 || places_ == places_of_row) {
      of_clock_ = launch().new_clock_row();
      places_ = 0;
    }
    mbarrier.of_clock = of_clock_;
    mbarrier.place = places_++;
  }
  return mbarrier.moment();
}

u32 CopyOrder::entry_of(const GpuThread& thread, u32 address) {
  const Moment at = moment_at(thread, address);
  // Copies of one thread for one phase come one after another.
  if (!entries_.empty()) {
    const Entry& last = entries_.back();
    if (last.thread == thread.number && last.of_clock == at.block && last.place == at.thread &&
        last.phase == at.epoch)
      return static_cast<u32>(entries_.size() - 1);
  }
  entries_.push_back({thread.number, at.block, at.thread, at.epoch, address});
  return static_cast<u32>(entries_.size() - 1);
}

// One for all groups of a thread: none of them is known to be done while it is in flight.
u32 CopyOrder::group_of(GpuThread& thread) {
  if (thread.copy_entry == 0) {
    entries_.push_back({thread.number, 0, 0, 0, 0});
    thread.copy_entry = static_cast<u32>(entries_.size());
  }
  return thread.copy_entry - 1;
}

void CopyOrder::mark(const GpuThread& thread, u32 entry, int line, u32 address, u32 bytes, u32 bits) {
  any_ = true;
  Cluster& cluster = *thread.block->cluster;
  write_words(cluster, address, bytes,
              {first_copy + entry, cluster.first_number, bytes_mask | bits | shifted_line(line)});
}

void CopyOrder::begins_in_group(GpuThread& thread, int line, u32 address, u32 bytes) {
  mark(thread, group_of(thread), line, address, bytes, async_bit);
}
void CopyOrder::begins(GpuThread& thread, int line, u32 address, u32 bytes, u32 mbarrier, bool reduces) {
  mark(thread, entry_of(thread, mbarrier), line, address, bytes, reduces ? strong_bit : 0);
  ++thread.block->cluster->mbarriers[mbarrier].begun;
}
void CopyOrder::ends(GpuThread& thread, int line, u32 address, u32 bytes, u32 mbarrier, bool reduces) {
  mark(thread, entry_of(thread, mbarrier), line, address, bytes, reduces ? strong_bit : 0);
  u32& begun = thread.block->cluster->mbarriers[mbarrier].begun;
  begun -= begun != 0;  // it may have been made anew
}
void CopyOrder::counts_at(GpuThread& thread, int line, u32 address, u32 bytes, u32 mbarrier) {
  mark(thread, entry_of(thread, mbarrier), line, address, bytes, async_bit);
}
void CopyOrder::has_written(GpuThread& thread, int line, u32 address, u32 bytes) {
  write_words(*thread.block->cluster, address, bytes,
              {thread.number, thread.clock.now, bytes_mask | async_bit | shifted_line(line)});
}

void CopyOrder::reads_in_group(GpuThread& thread, int line, u32 address, u32 bytes) {
  any_ = true;
  readings_.push_back({address, address + bytes, group_of(thread), line});
}
void CopyOrder::reads(GpuThread& thread, int line, u32 address, u32 bytes, u32 mbarrier) {
  any_ = true;
  const auto of_mbarrier = [&](const Reading& r) { return entries_[r.entry].of_clock != 0; };
  if (std::ranges::count_if(readings_, of_mbarrier) >= static_cast<std::ptrdiff_t>(most_readings))
    readings_.erase(std::ranges::find_if(readings_, of_mbarrier));
  readings_.push_back({address, address + bytes, entry_of(thread, mbarrier), line});
}
void CopyOrder::has_read(GpuThread& thread, int line, u32 address, u32 bytes) {
  const auto mine = std::ranges::find_if(readings_, [&](const Reading& r) {
    return r.begin == address && r.end == address + bytes && r.line == line &&
           entries_[r.entry].thread == thread.number && entries_[r.entry].of_clock == 0;
  });
  if (mine != readings_.end()) readings_.erase(mine);
  touch_shared(&thread, line, thread.shared + address, bytes, Touching::reads);
}

bool CopyOrder::is_done(const Entry& entry, const Knowledge* known) {
  return entry.of_clock != 0 && reaches(known, entry.of_clock, entry.place, entry.phase);
}

void CopyOrder::check(GpuThread& thread, int line, u32 address, u32 bytes, bool write, bool strong) const {
  const Cluster& cluster = *thread.block->cluster;
  const Knowledge* const known = thread.clock.known ? &*thread.clock.known : nullptr;
  const Cell* const cells = thread.block->cluster->cells.at(address & ~3u);
  const u32 words = (bytes + (address & 3) + 3) / 4;
  u32 fine = nobody;
  for (u32 i = 0; i < words; ++i) {
    const Touch& last = cells[i].write;
    if (last.thread < first_copy || last.thread == fine || last.thread == nobody ||
        last.epoch != cluster.first_number || (strong && (last.what & strong_bit) != 0))
      continue;
    const Entry& entry = entries_[last.thread - first_copy];
    if (!is_done(entry, known))
      report(thread, line, write ? "it writes" : "it reads", address, bytes, entry, line_of(last), false);
    fine = last.thread;
  }
  if (!write) return;
  for (const Reading& r : readings_)
    if (address < r.end && r.begin < address + bytes && !is_done(entries_[r.entry], known))
      report(thread, line, "it writes", address, bytes, entries_[r.entry], r.line, true);
}

bool CopyOrder::check(GpuThread& thread, int line, const char* does, u32 address, u32 bytes,
                      const Touch& write, const Gathering& known, const Gathering& fenced) const {
  if (write.thread == nobody || write.epoch != thread.block->cluster->first_number) return false;
  const Entry& entry = entries_[write.thread - first_copy];
  if (!is_done(entry, &known.now())) report(thread, line, does, address, bytes, entry, line_of(write), false);
  return (write.what & async_bit) != 0 && !reaches(&fenced.now(), entry.of_clock, entry.place, entry.phase);
}

u32 CopyOrder::beginner(const Touch& write) const {
  return entries_[write.thread - first_copy].thread - launch().first_number();
}

void CopyOrder::report(GpuThread& thread, int line, const char* does, u32 address, u32 bytes,
                       const Entry& entry, int copy_line, bool reading) const {
  const bool own = entry.thread == thread.number;
  const std::string missing =
      entry.of_clock != 0
          ? fmt::format("no wait for the mbarrier at {:#x}, where that copy counts,", entry.mbarrier)
      : reading ? fmt::format("no cp.async.bulk.wait_group{}", own ? "" : " of that thread")
                : fmt::format("no cp.async.wait_group or cp.async.wait_all{}", own ? "" : " of that thread");
  launch().fail(
      &thread, line,
      fmt::format(
          "a data race: {} {} bytes of shared memory at {:#x}, which a copy {} that {}: {} lies between "
          "the two",
          does, bytes, address, reading ? "reads" : "writes",
          who(entry.thread - launch().first_number(), copy_line, "began"), missing));
}

}  // namespace podium::ptx
