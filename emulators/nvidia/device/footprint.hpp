// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which words of global memory a worker of a team (team.hpp) has read and written, so that it is seen whether
// the order of its clusters and the other workers' could have mattered; and what lay there before.
#pragma once
#include <array>
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
  Footprint(KeptMemory& kept, std::size_t sites) : kept_(&kept), of_site_(sites) {}

  // [at, at + bytes) is going to be read or written; it lies in one allocation, which the site, if there is
  // one, touched last. False: it is to be written, and is the host's, too, or a constant's, whose reads are
  // not noted.
  bool mark(u64 at, u64 bytes, bool write, const Site* site = nullptr, std::size_t site_index = 0);
  // Whether one of the two wrote what the other one read or wrote.
  bool conflicts_with(const Footprint& other) const;

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

  KeptMemory* kept_;
  std::map<u64, Range> ranges_;  // by first address
  std::vector<Range*> of_site_;
  Range* last_ = nullptr;
};

// By a thread of a team's launch; nothing otherwise. Each access to global memory tells of itself before it
// happens, asynchronous ones when they are issued.
void leave_footprint(GpuThread&, u64 at, u64 bytes, bool write, const Site* site = nullptr);

}  // namespace podium::ptx
