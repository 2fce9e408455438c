// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which words of global memory a worker of a team (team.hpp) has read and written, so that it is seen whether
// the order of its clusters and the other workers' could have mattered; and what lay there before. Where a
// team keeps reads apart, no word may be read and written: then no read can be part of a data race, and
// races.hpp needs to know of writes alone.
#pragma once
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

struct GpuThread;

inline constexpr u64 chunk_bytes = 4096;  // of memory, by which it is kept and looked after

// Memory as it was when the launch began, of chunks that somebody is going to write. Of all workers.
class KeptMemory {
 public:
  // Of [begin, end), which lies in one chunk; to be called before anybody writes there.
  void keep(u64 begin, u64 end);
  void restore() const;  // when nobody writes any more

 private:
  std::mutex mutex_;
  std::map<u64, std::vector<u8>> chunks_;  // by address
};

class Footprint {
 public:
  // `abandoned`: whether somebody of the team said that one thread has to do it.
  Footprint(KeptMemory& kept, const std::atomic<bool>& abandoned, std::size_t sites, bool keeps_reads_apart)
      : kept_(&kept), abandoned_(&abandoned), of_site_(sites), keeps_reads_apart_(keeps_reads_apart) {}

  // Of a launch that one thread makes, for the next one alone.
  explicit Footprint(std::size_t sites);

  bool keeps_reads_apart() const { return keeps_reads_apart_; }
  enum class Marked {
    well,
    fixed,    // it is to be written, and is the host's, too, or a constant's, whose reads are not noted
    together  // reads are kept apart, and this has been or is to be both read and written
  };
  // [at, at + bytes) is going to be read or written; it lies in one allocation, which the site, if there is
  // one, touched last.
  Marked mark(u64 at, u64 bytes, bool write, const Site* site = nullptr, std::size_t site_index = 0);
  // Whether it is marked so already, and nothing stops the team, as far as that is seen at a glance: what
  // nearly all accesses ask.
  bool is_marked(u64 at, u64 bytes, bool write, std::size_t site_index) const {
    const Range* const range = of_site_[site_index];
    if (!range || at < range->begin || at >= range->end || abandoned_->load(std::memory_order_relaxed))
      return false;
    const u64 word = (at - range->base) / 4, last = (at - range->base + bytes - 1) / 4;
    const Chunk* const chunk = range->chunks[word / (chunk_bytes / 4)].get();
    if (!chunk || word / 64 != last / 64) return false;
    const u64 bits = ~u64{0} >> (63 - (last - word)) << word % 64;
    return ((write ? chunk->written : chunk->read)[word / 64 % chunk->read.size()] & bits) == bits;
  }
  // Whether one of the two wrote what the other one read or wrote.
  bool conflicts_with(const Footprint& other) const;
  // Whether some of [at, at + bytes), of one allocation, was written; `or_read`: or read.
  bool touched(u64 at, u64 bytes, bool or_read) const;

 private:
  struct Chunk {
    std::array<u64, chunk_bytes / 4 / 64> read{}, written{};  // a bit a word
  };
  struct Range {  // an allocation
    u64 begin, end, base;
    bool fixed;                                  // not to be written
    std::vector<std::unique_ptr<Chunk>> chunks;  // from `base` on; nullptr: not touched
  };
  Range& range_at(u64 at);

  KeptMemory* kept_;  // nullptr: nothing is kept
  const std::atomic<bool>* abandoned_;
  std::map<u64, Range> ranges_;  // by first address
  std::vector<Range*> of_site_;
  Range* last_ = nullptr;
  bool keeps_reads_apart_;
};

// Each access to global memory tells of itself before it happens, asynchronous ones when they are issued: to
// its launch's footprints, where it has some, and of one before griddepcontrol.wait (prerequisite.hpp).
void leave_footprint(GpuThread&, int line, u64 at, u64 bytes, bool write, const Site* site = nullptr);

}  // namespace podium::ptx
