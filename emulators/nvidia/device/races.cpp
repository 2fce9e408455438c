// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/races.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "emulators/nvidia/device/footprint.hpp"
#include "emulators/nvidia/device/proxies.hpp"
#include "emulators/nvidia/device/repeated.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

// The thread at work, and what of it a comparison needs.
struct Observer {
  GpuThread& thread;
  u32 first, count;  // threads whose touches are of now: the launch's, or the cluster's
  u32 me, first_of_block, threads;
  const u32* of_block;

  Observer(GpuThread& t, u32 first_number, u32 number_count)
      : thread(t),
        first(first_number),
        count(number_count),
        me(t.number),
        first_of_block(t.number - t.linear),
        threads(t.block->threads),
        of_block(t.clock.of_block) {}
  bool is_now(const Touch& touch) const { return touch.thread - first < count; }
  bool unwritten(const Cell& cell) const {
    return !is_now(cell.write) && (cell.write.thread < first_copy || cell.write.epoch != first);
  }
  bool ordered(const Touch& touch) const {
    const u32 offset = touch.thread - first_of_block;
    if (__builtin_expect(offset < threads, 1)) return of_block && of_block[offset] >= touch.epoch;
    return ordered_elsewhere(touch);
  }
  [[gnu::noinline]] bool ordered_elsewhere(const Touch& touch) const {
    if (!thread.clock.known) return false;
    const u32 number = touch.thread - launch().first_number();
    const u32* const epochs = thread.clock.known->of_block(number / threads);
    return epochs && epochs[number % threads] >= touch.epoch;
  }
  bool races(const Touch& earlier, u32 what) const {
    return earlier.thread != me && is_now(earlier) && (earlier.what & what & bytes_mask) != 0 &&
           (earlier.what & what & strong_bit) == 0 && !ordered(earlier);
  }
  // A write over what another lane read before the two met in a shuffle or vote; or over what another block
  // read, or accessed strongly, before it told the device of anything by an atomic operation or a flag. A
  // fence would be right, but nothing goes wrong without: a read is over when its value was used. Kernels
  // whose last block clears a counter do so.
  bool over_what_is_done(const Touch& earlier, bool read) const {
    const u32 other = earlier.thread - first_of_block;
    if (other >= threads)
      return (read || (earlier.what & strong_bit) != 0) && launch().told(earlier.thread) >= earlier.epoch;
    return read && other / 32 == thread.linear / 32 &&
           thread.warp->threads[other % 32]->met_in >= earlier.epoch;
  }
};

struct Access {
  const char* memory;  // "shared", "global"
  u64 at;              // as the message shall show it
  u32 bytes;
  bool write;
};

[[noreturn]] void report(const Observer& o, int line, const Access& access, const Touch& other,
                         bool other_wrote) {
  Launch& run = launch();
  const u32 number = other.thread - run.first_number(), threads = o.thread.block->threads;
  const bool same_block = number / threads == o.thread.block->number;
  const bool same_warp = same_block && number % threads / 32 == o.thread.linear / 32;
  const char* const missing =
      same_warp    ? "no __syncwarp() or other barrier lies between the two"
      : same_block ? "no __syncthreads() or other barrier that both pass lies between the two"
                   : "no fence of both with an atomic operation or flag that one leaves for the other orders "
                     "the two blocks";
  run.fail(&o.thread, line,
           fmt::format("a data race: it {} {} bytes of {} memory at {:#x}, which {}: {}",
                       access.write ? "writes" : "reads", access.bytes, access.memory, access.at,
                       who(number, line_of(other), other_wrote ? "wrote" : "read"), missing));
}

// Which of two reads is forgotten: one that is ordered before this one, or of the same warp.
[[gnu::always_inline]] inline void note_read(const Observer& o, Cell& cell, const Touch& mine) {
  for (Touch& read : cell.reads)
    if (read.thread == mine.thread) {
      const u32 more = read.epoch == mine.epoch ? read.what & bytes_mask : 0;
      read = mine;
      read.what |= more;
      return;
    }
  for (Touch& read : cell.reads)
    if (!o.is_now(read) || o.ordered(read)) {
      read = mine;
      return;
    }
  const bool of_first_warp =
      (cell.reads[0].thread - o.first_of_block) / 32 == (mine.thread - o.first_of_block) / 32;
  cell.reads[of_first_warp ? 0 : 1] = mine;
}

// Becomes the word's last write. What it leaves of earlier ones is kept, byte by byte.
inline void note_write(const Observer& o, Cell& cell, Touch mine) {
  const u32 others = o.is_now(cell.write) ? cell.write.what & ~mine.what & bytes_mask : 0;
  const bool apart = o.is_now(cell.write) && (cell.write.what & apart_bit) != 0;
  if (__builtin_expect((others == 0 && !apart) || (mine.what & bytes_mask) == bytes_mask, 1)) {
    cell.write = mine;
    return;
  }
  constexpr u32 place = bytes_mask | apart_bit;
  if (const bool same = cell.write.thread == mine.thread && cell.write.epoch == mine.epoch &&
                        ((cell.write.what ^ mine.what) & (strong_bit | async_bit)) == 0;
      same && !apart) {  // told with the line of the last
    mine.what |= others;
    cell.write = mine;
    return;
  }
  std::array<Touch, 4>& bytes = launch().bytes_apart()[&cell];
  for (u32 i = 0; i < bytes.size(); ++i) {
    const u32 bit = 1u << i;
    const Touch* const last = (mine.what & bit) != 0 ? &mine : apart ? nullptr : &cell.write;
    if (!last) continue;
    bytes[i] = *last;
    bytes[i].what &= ~place | bit;
  }
  mine.what |= apart_bit;
  cell.write = mine;
}

// Of no other bytes than these.
inline void forget_reads(Cell& cell, u32 bytes) {
  for (Touch& read : cell.reads)
    if ((read.what & bytes_mask & ~bytes) == 0) read.thread = 0;
}

// Calls f(touch) for each byte's last write, where those stand apart.
template <class F>
void each_apart(const Observer& o, const Cell& cell, F f) {
  if (__builtin_expect((cell.write.what & apart_bit) == 0 || !o.is_now(cell.write), 1)) return;
  for (const Touch& last : launch().bytes_apart()[&cell]) f(last);
}

// Of the bytes of one word that `what` names; `value`, if known, is what `at` is going to hold.
inline void touch_word(const Observer& o, int line, Cell& cell, const Touch& mine, const u8* at,
                       const u8* value, u32 count, bool write, bool records, const Access& access) {
  if (!write) {
    const auto compare = [&](const Touch& last) {
      if (__builtin_expect(o.races(last, mine.what), 0) && !has_repeated(o.thread, cell, last, mine.what))
        report(o, line, access, last, true);
    };
    compare(cell.write);
    each_apart(o, cell, compare);
    return note_read(o, cell, mine);
  }
  bool repeats = false;
  const auto compare = [&](const Touch& other, bool wrote) {
    if (__builtin_expect(!o.races(other, mine.what), 1) || o.over_what_is_done(other, !wrote)) return;
    // A write that changes nothing cannot be told from none.
    if (!repeats && (!value || std::memcmp(at, value, count) != 0)) report(o, line, access, other, wrote);
    repeats = true;
    if (wrote) note_repeated(o.thread, cell, other, mine.what & bytes_mask);
  };
  compare(cell.write, true);
  each_apart(o, cell, [&](const Touch& last) { compare(last, true); });
  compare(cell.reads[0], false);
  compare(cell.reads[1], false);
  if (repeats || !records) return;
  note_write(o, cell, mine);
  forget_reads(cell, mine.what);
}

bool is_strong(Touching how) {
  return how == Touching::reads_strongly || how == Touching::writes_strongly || how == Touching::will_add ||
         how == Touching::will_reduce;
}

// Whether a word was read that nobody has written.
bool touch(const Observer& o, int line, Cell* cells, const u8* at, Touching how, const u8* value,
           const Access& access) {
  bool unwritten = false;
  const bool strong = is_strong(how);
  Touch mine{o.me, o.thread.clock.now, (strong ? strong_bit : 0) | shifted_line(line)};
  const u32 rest = mine.what, offset = static_cast<u32>(access.at & 3);
  for (u32 done = 0; done < access.bytes; ++cells) {
    const u32 begin = (offset + done) & 3, count = std::min(4 - begin, access.bytes - done);
    mine.what = rest | ((1u << count) - 1) << begin;
    touch_word(o, line, *cells, mine, at + done, value ? value + done : nullptr, count, access.write,
               how < Touching::will_write, access);
    unwritten |= !access.write && o.unwritten(*cells);
    done += count;
  }
  return unwritten;
}

// Weakly, the bytes of `mask` of each word. False, and nothing done from there on, if one races. `unwritten`:
// set if a word is read that nobody has written.
[[gnu::always_inline]] inline bool touch_words(const Observer& o, int line, Cell* cells, u32 words, u32 mask,
                                               bool write, bool* unwritten) {
  const Touch mine{o.me, o.thread.clock.now, mask | shifted_line(line)};
  for (Cell* const end = cells + words; cells != end; ++cells) {
    if ((cells->write.what & apart_bit) != 0 || o.races(cells->write, mask)) return false;
    if (!write) {
      note_read(o, *cells, mine);
      *unwritten |= o.unwritten(*cells);
      continue;
    }
    if (o.races(cells->reads[0], mask) || o.races(cells->reads[1], mask)) return false;
    note_write(o, *cells, mine);
    forget_reads(*cells, mask);
  }
  return true;
}
// The same of whole words, or of a part of one, which nearly all accesses are; of others nothing is done, and
// it is false.
[[gnu::always_inline]] inline bool touch_plainly(const Observer& o, int line, Cell* cells, u64 address,
                                                 u32 bytes, bool write, bool* unwritten) {
  const u32 offset = address & 3;
  if (((offset | bytes) & 3) == 0)
    return touch_words(o, line, cells, bytes / 4, bytes_mask, write, unwritten);
  return offset + bytes <= 4 &&
         touch_words(o, line, cells, 1, ((1u << bytes) - 1) << offset, write, unwritten);
}

bool is_write(Touching how) {
  return how != Touching::reads && how != Touching::reads_strongly && how != Touching::reads_by_copy;
}

// What happens later is over when it is counted at an mbarrier, which has to be there then.
[[gnu::noinline]] void touch_another_block(GpuThread& thread, int line, u32 address, Touching how) {
  const char* const does = is_write(how) ? "writes" : "reads";
  see_living(thread, line, address, does);
  if (how <= Touching::writes_strongly) visit(thread, line, address, is_strong(how), !is_write(how), does);
}

// Inlined where `how` is known: plain loads and stores below are most of what a kernel does.
[[gnu::always_inline]] inline void touch_shared_as(Thread* t, int line, const u8* at, u32 bytes, Touching how,
                                                   const u8* value) {
  GpuThread& thread = of(t);
  Cluster& cluster = *thread.block->cluster;
  const u32 address = static_cast<u32>(shared_of(t, reinterpret_cast<u64>(at)));
  const Observer o(thread, cluster.first_number, cluster.number_count);
  bool unwritten = false;
  if (__builtin_expect(is_of_another_block(t, address), 0)) touch_another_block(thread, line, address, how);
  Cell* const cells = cluster.cells.at(address);
  if (__builtin_expect(cluster.copies.any(), 0))
    cluster.copies.check(thread, line, address, bytes, is_write(how), is_strong(how));
  if (how > Touching::writes ||
      !touch_plainly(o, line, cells, address, bytes, how == Touching::writes, &unwritten))
    unwritten = touch(o, line, cells, at, how, value, {"shared", address, bytes, is_write(how)});
  if (how == Touching::reads_by_copy)
    ProxyAccess(thread, line, "a bulk copy reads", false).check(address, bytes);
  if (how == Touching::will_copy || how == Touching::will_reduce)
    ProxyAccess(thread, line, "a bulk copy writes", false).check(address, bytes);
  // What is still as the block found it; operations that do not say what they write change it too.
  if (!unwritten) return;
  const u8 found = cluster.blocks[address >> rank_shift].unwritten;
  if (std::all_of(at, at + bytes, [found](u8 byte) { return byte == found; }))
    launch().note(
        Note::unwritten, thread, line,
        fmt::format("it reads {} bytes of shared memory at {:#x} that nobody has written", bytes, address));
}

[[gnu::always_inline]] inline void touch_global_cells(Thread* t, int line, const Site& site, const u8* at,
                                                      u32 bytes, Touching how, const u8* value) {
  const u64 address = reinterpret_cast<u64>(at);
  const Cluster& cluster = *of(t).block->cluster;
  const Observer o(of(t), cluster.first_of_launch, cluster.count_of_launch);
  bool unwritten = false;  // earlier launches, copies and the host write too: nothing is said
  const u64 word = address / 4 - site.begin / 4;
  Cell* const cells = site.cells + word;
  if (is_write(how)) written_in(site.cells, word) = o.first;
  if (how <= Touching::writes &&
      touch_plainly(o, line, cells, address, bytes, how == Touching::writes, &unwritten))
    return;
  touch(o, line, cells, at, how, value, {"global", address, bytes, is_write(how)});
}

[[gnu::always_inline]] inline void touch_global_as(Thread* t, int line, const Site& site, const u8* at,
                                                   u32 bytes, Touching how, const u8* value) {
  const u64 address = reinterpret_cast<u64>(at);
  const GpuThread& thread = of(t);
  const Footprint* const footprint = thread.footprint;
  const bool write = is_write(how);
  if (__builtin_expect(thread.before_wait, 0) ||
      (footprint && !footprint->is_marked(address, bytes, write, static_cast<std::size_t>(&site - t->sites))))
    leave_footprint(of(t), line, address, bytes, write, &site);
  if (footprint && how == Touching::reads && footprint->keeps_reads_apart()) return;
  if (site.cells) touch_global_cells(t, line, site, at, bytes, how, value);
}

// Whether an access to global memory by this site, of aligned bytes, is nobody's business.
inline bool is_unwatched(Thread* t, const Site& site, u64 at, u32 bytes) {
  const GpuThread& thread = of(t);
  return at - site.begin <= site.limit && (at & (bytes - 1)) == 0 && !site.cells && !thread.footprint &&
         !thread.before_wait;
}

// Of as many bytes as one instruction may store.
void copy(u8* to, const u8* from, u32 bytes) {
  switch (bytes) {
    case 1:
      *to = *from;
      return;
    case 2:
      return write(to, read<u16>(from));
    case 4:
      return write(to, read<u32>(from));
    case 8:
      return write(to, read<u64>(from));
    default:
      std::memcpy(to, from, bytes);
  }
}

}  // namespace

void touch_shared(Thread* t, int line, const u8* at, u32 bytes, Touching how, const u8* value) {
  touch_shared_as(t, line, at, bytes, how, value);
}
void touch_global(Thread* t, int line, const Site& site, const u8* at, u32 bytes, Touching how,
                  const u8* value) {
  touch_global_as(t, line, site, at, bytes, how, value);
}

void touch_by_copy(GpuThread& thread, int line, const Site& site, u64 at, u32 bytes) {
  if (!site.cells || (thread.footprint && thread.footprint->keeps_reads_apart())) return;
  touch_global_cells(&thread, line, site, reinterpret_cast<const u8*>(at), bytes, Touching::reads, nullptr);
}

void touch_any(Thread* t, int line, const Site& site, const u8* at, u32 bytes, Touching how,
               const u8* value) {
  const u64 address = reinterpret_cast<u64>(at);
  if (is_shared(t, address))
    touch_shared(t, line, at, bytes, how, value);
  else if (address - site.begin <= site.limit)
    touch_global(t, line, site, at, bytes, how, value);
  else if (is_write(how) &&
           !is_local(t, address))  // parameters, of which each worker's threads know the same
    launch().needs_one_thread();
}

const u8* read_shared(Thread* t, int line, u32 at, u32 bytes) {
  const u8* const from = shared(t, line, at, bytes, bytes);
  touch_shared_as(t, line, from, bytes, Touching::reads, nullptr);
  return from;
}
[[gnu::noinline]] static const u8* read_watched(Thread* t, int line, u32 site, u64 at, u32 bytes) {
  const u8* const from = global(t, line, site, at, bytes, bytes);
  touch_global_as(t, line, t->sites[site], from, bytes, Touching::reads, nullptr);
  return from;
}
const u8* read_global(Thread* t, int line, u32 site, u64 at, u32 bytes) {
  if (__builtin_expect(is_unwatched(t, t->sites[site], at, bytes), 1)) return reinterpret_cast<const u8*>(at);
  return read_watched(t, line, site, at, bytes);
}
const u8* read_any(Thread* t, int line, u32 site, u64 at, u32 bytes) {
  const u8* const from = generic(t, line, site, at, bytes, bytes);
  touch_any(t, line, t->sites[site], from, bytes, Touching::reads);
  return from;
}
void write_shared(Thread* t, int line, u32 at, u32 bytes) {
  u8* const to = shared(t, line, at, bytes, bytes);
  touch_shared_as(t, line, to, bytes, Touching::writes, t->value);
  copy(to, t->value, bytes);
}
[[gnu::noinline]] static void write_watched(Thread* t, int line, u32 site, u64 at, u32 bytes) {
  u8* const to = global(t, line, site, at, bytes, bytes);
  touch_global_as(t, line, t->sites[site], to, bytes, Touching::writes, t->value);
  copy(to, t->value, bytes);
}
void write_global(Thread* t, int line, u32 site, u64 at, u32 bytes) {
  if (__builtin_expect(is_unwatched(t, t->sites[site], at, bytes), 1))
    return copy(reinterpret_cast<u8*>(at), t->value, bytes);
  write_watched(t, line, site, at, bytes);
}
void write_any(Thread* t, int line, u32 site, u64 at, u32 bytes) {
  u8* const to = generic(t, line, site, at, bytes, bytes);
  touch_any(t, line, t->sites[site], to, bytes, Touching::writes, t->value);
  copy(to, t->value, bytes);
}

void forget(GpuThread& thread, u32 address, u32 bytes) {
  Cell* const cells = thread.block->cluster->cells.at(address);
  const Touch now{nobody, thread.block->cluster->first_number, bytes_mask};  // not of who lay there before
  for (u32 i = 0; i < (bytes + 3) / 4; ++i) cells[i] = {.write = now, .reads = {}};
}

}  // namespace podium::ptx
