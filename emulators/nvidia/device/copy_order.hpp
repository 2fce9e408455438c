// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which asynchronous copies are done, and who knows it: cp.async, bulk and tensor copies, asynchronous stores
// (PTX ISA 9.7.9.25 to 27). The last write of a word of shared memory may be such a copy's, from the moment
// at which it is begun. A copy that counts at an mbarrier is done for who has learnt that its phase is
// complete: an mbarrier is one more thread in vector clocks, and its phases are that thread's epochs. One
// that belongs to a group is done when its thread waits for the group, and is that thread's write, or read,
// then.
#pragma once
#include <unordered_map>
#include <vector>

#include "emulators/nvidia/device/order.hpp"
#include "emulators/nvidia/device/races.hpp"

namespace podium::ptx {

// Where threads meet, and where copies count. Its place in clocks is given when the first copy does.
struct Mbarrier {
  Rendezvous met;
  u32 of_clock = 0, place = 0;  // as Moment's block and thread; 0: it has none
  u32 phase = 1;
  u32 begun = 0;  // copies that have not written yet

  Moment moment() const;
  void complete();
};
using Mbarriers = std::unordered_map<u32, Mbarrier>;  // by shared address

// Of Touch::thread: from here on copies, whose epoch is the cluster's first number; the last one is `nobody`.
inline constexpr u32 first_copy = 0xc0000000, nobody = ~u32{0};

// Of one cluster's shared memory.
class CopyOrder {
 public:
  bool any() const { return any_; }  // whether a copy was begun since the cluster was
  void clear();

  // A copy of the thread writes from now on, and no one else may touch that before it is done. In a group, or
  // at an mbarrier: in the phase that it is in when it has written. `reduces`: beside others.
  void begins_in_group(GpuThread&, int line, u32 address, u32 bytes);
  void begins(GpuThread&, int line, u32 address, u32 bytes, u32 mbarrier, bool reduces = false);
  void ends(GpuThread&, int line, u32 address, u32 bytes, u32 mbarrier, bool reduces = false);
  // At which copies are done that count in the mbarrier's current phase.
  Moment moment_at(const GpuThread&, u32 mbarrier);
  // A cp.async of the thread counts at that mbarrier, too: who has learnt of that need not learn of more.
  void counts_at(GpuThread&, int line, u32 address, u32 bytes, u32 mbarrier);
  // The thread has waited for that cp.async.
  void has_written(GpuThread&, int line, u32 address, u32 bytes);

  // A copy of the thread reads from now on, and no one may write there before it is done.
  void reads_in_group(GpuThread&, int line, u32 address, u32 bytes);
  void reads(GpuThread&, int line, u32 address, u32 bytes, u32 mbarrier);
  void has_read(GpuThread&, int line, u32 address, u32 bytes);

  // Faults if the access meets a copy of which the thread does not know that it is done.
  void check(GpuThread&, int line, u32 address, u32 bytes, bool write, bool strong) const;
  // The same for an operation of the asynchronous proxy that `does` something, and for what was known when it
  // was issued; returns whether the copy needs a fence.proxy.async behind it, and that is not `fenced`.
  bool check(GpuThread&, int line, const char* does, u32 address, u32 bytes, const Touch& write,
             const Gathering& known, const Gathering& fenced) const;
  u32 beginner(const Touch& write) const;  // of the launch's threads, from 0

 private:
  struct Entry {
    u32 thread;                  // its number in the process
    u32 of_clock, place, phase;  // of the mbarrier; of_clock 0: of a group
    u32 mbarrier;                // its address
  };
  struct Reading {
    u32 begin, end, entry;
    int line;
  };
  u32 entry_of(const GpuThread&, u32 mbarrier);
  u32 group_of(GpuThread&);
  void mark(const GpuThread&, u32 entry, int line, u32 address, u32 bytes, u32 bits);
  static bool is_done(const Entry&, const Knowledge*);
  [[noreturn]] void report(GpuThread&, int line, const char* does, u32 address, u32 bytes, const Entry&,
                           int copy_line, bool reading) const;

  bool any_ = false;
  std::vector<Entry> entries_;
  std::vector<Reading> readings_;
  u32 of_clock_ = 0, places_ = 0;  // of mbarriers: the last row of them in clocks, and how many it has
};

}  // namespace podium::ptx
