// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// mbarrier objects (PTX ISA 9.7.13.15): 64 bits in shared memory, whose layout the ISA leaves open. Here:
// bits 63, 62 "10" for initialised, 61 phase, 60-40 pending bytes (signed), 39-20 pending arrivals, 19-0
// expected arrivals.
#include <fmt/format.h>

#include "emulators/nvidia/device/copies.hpp"
#include "emulators/nvidia/device/mbarrier.hpp"
#include "emulators/nvidia/device/memory.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

constexpr u32 most_arrivals = (1 << 20) - 1;
constexpr s64 most_bytes = (1 << 20) - 1;

struct Fields {
  bool phase = false;
  s64 bytes = 0, pending = 0, expected = 0;
};

u64 encoded(const Fields& f) {
  return u64{2} << 62 | static_cast<u64>(f.phase) << 61 | (static_cast<u64>(f.bytes) & 0x1fffff) << 40 |
         static_cast<u64>(f.pending) << 20 | static_cast<u64>(f.expected);
}
Fields decoded(u64 word) {
  return {.phase = (word >> 61 & 1) != 0,
          .bytes = static_cast<s64>(word << 3) >> 43,
          .pending = static_cast<s64>(word >> 20 & most_arrivals),
          .expected = static_cast<s64>(word & most_arrivals)};
}

// `does`: there, of another block's.
u8* word_at(Thread* t, int line, u32 at, const char* does = "changes an mbarrier in") {
  u8* const word = shared(t, line, at, 8, 8);
  if (is_of_another_block(t, at)) see_living(of(t), line, at, does);
  if (read<u64>(word) >> 62 != 2)
    launch().fail(&of(t), line, fmt::format("there is no initialised mbarrier at shared address {:#x}", at));
  return word;
}

void change(Thread* t, int line, u32 at, s64 arrivals, s64 bytes, s64 expected) {
  u8* const word = word_at(t, line, at);
  Fields f = decoded(read<u64>(word));
  f.pending -= arrivals;
  f.bytes += bytes;
  f.expected += expected;
  launch().happened();
  if (f.pending < 0)
    launch().fail(
        &of(t), line,
        fmt::format("more arrivals at the mbarrier at {:#x} than the {} it expects", at, f.expected));
  if (f.bytes > most_bytes || f.bytes < -most_bytes)
    launch().fail(&of(t), line,
                  fmt::format("the mbarrier at {:#x} counts {} bytes; at most {} are possible", at, f.bytes,
                              most_bytes));
  if (f.pending == 0 && f.bytes == 0) {
    f.phase = !f.phase;
    f.pending = f.expected;
    of(t).block->cluster->mbarriers[at].complete();
  }
  write(word, encoded(f));
}

bool tested(Thread* t, int line, u32 at, u32 parity) {
  if (at >> rank_shift != t->rank >> rank_shift)
    launch().fail(&of(t), line, fmt::format("a test of the mbarrier at {:#x}, which is another block's", at));
  return decoded(read<u64>(word_at(t, line, at))).phase != (parity != 0);
}

// What was done before the phase that has completed.
bool learnt(GpuThread& thread, u32 at) {
  thread.block->cluster->mbarriers[at].met.leave(thread, false);
  return true;
}

bool tried(Thread* t, int line, u32 at, u32 parity) {
  GpuThread& thread = of(t);
  if (tested(t, line, at, parity)) return learnt(thread, at);
  thread.timed_out = false;
  thread.warp->polling |= 1u << thread.lane;
  wait(thread, Waiting::mbarrier, at, parity, line);
  if (thread.timed_out) launch().looked();  // it will try again: that alone is no progress
  return !thread.timed_out && learnt(thread, at);
}

u32 parity_of(u64 state) { return state >> 61 & 1; }

}  // namespace

bool mbarrier_ready(GpuThread& thread) {
  return tested(&thread, thread.line, thread.waits_at, thread.waits_for);
}

void mbarrier_check(Thread* t, int line, u32 at) { word_at(t, line, at); }
void mbarrier_arrivals(Thread* t, int line, u32 at, s64 more) {
  u8* const word = word_at(t, line, at);
  Fields f = decoded(read<u64>(word));
  f.pending += more;
  write(word, encoded(f));
}

void mbarrier_init(Thread* t, int line, u32 at, u32 count) {
  if (count < 1 || count > most_arrivals)
    launch().fail(&of(t), line,
                  fmt::format("mbarrier.init with a count of {}, expected 1 to {}", count, most_arrivals));
  write(shared(t, line, at, 8, 8), encoded({.pending = count, .expected = count}));
  of(t).block->cluster->mbarriers.erase(at);
  forget(of(t), at, 8);
}
void mbarrier_invalidate(Thread* t, int line, u32 at) { write(word_at(t, line, at), ~u64{0}); }

u64 mbarrier_arrive(Thread* t, int line, u32 at, u32 count, s64 expected_bytes, bool drop) {
  constexpr const char* does = "arrives at an mbarrier in";
  const u64 before = read<u64>(word_at(t, line, at, does));
  if (is_of_another_block(t, at)) visit(of(t), line, at, true, false, does);
  of(t).block->cluster->mbarriers[at].met.arrive(of(t));
  change(t, line, at, count, expected_bytes, drop ? -static_cast<s64>(count) : 0);
  return before;
}
void mbarrier_arrive(Thread* t, int line, u32 at, const Arrival& arrival) {
  word_at(t, line, at);
  of(t).block->cluster->mbarriers[at].met.arrive(arrival);
  change(t, line, at, 1, 0, 0);
}
void mbarrier_expect(Thread* t, int line, u32 at, s64 bytes) { change(t, line, at, 0, bytes, 0); }
void mbarrier_complete(Thread* t, int line, u32 at, s64 bytes) { change(t, line, at, 0, -bytes, 0); }

bool mbarrier_test(Thread* t, int line, u32 at, u64 state) {
  return mbarrier_test_parity(t, line, at, parity_of(state));
}
bool mbarrier_test_parity(Thread* t, int line, u32 at, u32 parity) {
  look(t, line);
  return tested(t, line, at, parity & 1) && learnt(of(t), at);
}
bool mbarrier_try(Thread* t, int line, u32 at, u64 state) { return tried(t, line, at, parity_of(state)); }
bool mbarrier_try_parity(Thread* t, int line, u32 at, u32 parity) { return tried(t, line, at, parity & 1); }

}  // namespace podium::ptx
