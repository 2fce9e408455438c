// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Addresses checked before they are used: PTX ISA 5.1 (state spaces), 9.7.9 (data movement). An address is a
// pointer of this process; a site remembers where its last one lay, so that the check costs two comparisons.
#pragma once
#include "emulators/nvidia/device/thread.hpp"

namespace podium::ptx {

// Out of line: the first touch of an allocation by a site, other spaces behind a generic address, mistakes.
u8* find_global(Thread*, int line, Site&, u64 at, u32 bytes, u32 align);
u8* find_generic(Thread*, int line, Site&, u64 at, u32 bytes, u32 align);
[[noreturn]] void shared_fault(Thread*, int line, u32 at, u32 bytes, u32 align);
u8* find_local(Thread*, int line, u64 at, u32 bytes, u32 align);
u8* find_parameter(Thread*, int line, u64 at, u32 bytes, u32 align);
// By an address in a register.
inline u8* parameter(Thread* t, int line, u64 at, u32 bytes, u32 align) {
  const u64 offset = at - reinterpret_cast<u64>(t->parameters);
  if (__builtin_expect(
          t->parameter_bytes < bytes || offset > t->parameter_bytes - bytes || (offset & (align - 1)) != 0,
          0))
    return find_parameter(t, line, at, bytes, align);
  return reinterpret_cast<u8*>(at);
}

inline u8* global(Thread* t, int line, u32 site, u64 at, u32 bytes, u32 align) {
  Site& s = t->sites[site];
  if (__builtin_expect(at - s.begin > s.limit || (at & (align - 1)) != 0, 0))
    return find_global(t, line, s, at, bytes, align);
  return reinterpret_cast<u8*>(at);
}
inline u8* generic(Thread* t, int line, u32 site, u64 at, u32 bytes, u32 align) {
  Site& s = t->sites[site];
  if (__builtin_expect(at - s.begin > s.limit || (at & (align - 1)) != 0, 0))
    return find_generic(t, line, s, at, bytes, align);
  return reinterpret_cast<u8*>(at);
}
inline u8* shared(Thread* t, int line, u32 at, u32 bytes, u32 align) {
  const u32 offset = at & offset_mask;
  if (__builtin_expect(offset < t->shared_first || offset + bytes > t->shared_end ||
                           at >> rank_shift >= t->blocks || (at & (align - 1)) != 0,
                       0))
    shared_fault(t, line, at, bytes, align);
  return t->shared + at;
}

// Within [begin, begin + size): of the function's own variable, which the compiler then knows; without one,
// of its callers' last.
inline u8* local(Thread* t, int line, u64 begin, u64 size, u64 at, u32 bytes, u32 align) {
  if (__builtin_expect(size < bytes || at - begin > size - bytes || (at & (align - 1)) != 0, 0))
    return find_local(t, line, at, bytes, align);
  return reinterpret_cast<u8*>(at);
}
inline u8* local(Thread* t, int line, u64 at, u32 bytes, u32 align) {
  const Held* const held = t->held;
  return local(t, line, held ? held->begin : 0, held ? held->bytes : 0, at, bytes, align);
}

// Who touches what, so that races are seen: races.cpp. `value` is what is going to be written, where that is
// known before; `at` was checked. Memory that a thread alone can reach is left out. will_write: an
// asynchronous operation may write from now on; will_add: a strong one; will_copy, will_reduce,
// reads_by_copy: one of the asynchronous proxy, which copy_order.hpp then knows.
enum class Touching {
  reads,
  writes,
  reads_strongly,
  writes_strongly,
  will_add,
  reads_by_copy,
  will_write,
  will_copy,
  will_reduce
};
void touch_shared(Thread*, int line, const u8* at, u32 bytes, Touching, const u8* value = nullptr);
void touch_global(Thread*, int line, const Site&, const u8* at, u32 bytes, Touching,
                  const u8* value = nullptr);
void touch_any(Thread*, int line, const Site&, const u8* at, u32 bytes, Touching, const u8* value = nullptr);

// Plain loads and stores, checked and told in one call: the less a translation holds of them, the sooner it
// is compiled. Aligned to their bytes; what is to be written lies in Thread::value.
const u8* read_shared(Thread*, int line, u32 at, u32 bytes);
const u8* read_global(Thread*, int line, u32 site, u64 at, u32 bytes);
const u8* read_any(Thread*, int line, u32 site, u64 at, u32 bytes);
void write_shared(Thread*, int line, u32 at, u32 bytes);
void write_global(Thread*, int line, u32 site, u64 at, u32 bytes);
void write_any(Thread*, int line, u32 site, u64 at, u32 bytes);

// Through what threads synchronise: order.cpp. Fences, and accesses that are relaxed, volatile or atomic, or
// acquire and release by themselves. `replaces`: what others released there before is not passed on.
enum class Scope { block, cluster, device };
inline constexpr u32 scopes = 3;
void fence(Thread*, Scope);
// fence.proxy.async: what is known so far, the asynchronous proxy may touch, in these spaces.
void fence_proxy(Thread*, bool shared, bool global);
void publish(Thread*, const u8* at, bool releases, bool replaces, Scope);
void observe(Thread*, const u8* at, bool acquires, Scope);

// Between generic addresses and those of the shared window.
inline u64 generic_of(const Thread* t, u64 at) { return reinterpret_cast<u64>(t->shared) + at; }
inline u64 shared_of(const Thread* t, u64 at) { return at - reinterpret_cast<u64>(t->shared); }
inline bool is_shared(const Thread* t, u64 at) {
  return shared_of(t, at) < static_cast<u64>(t->blocks) << rank_shift;
}
inline bool is_own_shared(const Thread* t, u64 at) {
  return is_shared(t, at) && (shared_of(t, at) & ~u64{offset_mask}) == t->rank;
}
// Sums of f16x2 and bf16x2 in another block's shared memory are those of integers of 32 bits: ptxas 13.0
// makes a load, an addition and a store of them, and an H200 answers so.
void note_pairs(Thread*, int line);
inline bool pairs_are_integers(Thread* t, int line, const u8* at) {
  const u64 address = reinterpret_cast<u64>(at);
  if (!is_shared(t, address) || is_own_shared(t, address)) return false;
  note_pairs(t, line);
  return true;
}
// Whether it lies on the thread's stack: local memory, and parameters.
bool is_local(const Thread*, u64 at);
// Whether it lies among the kernel's parameters.
bool is_parameter(const Thread*, u64 at);

// Lets other threads go on, now and then: this one may be waiting for what they write.
void yield(Thread*, int line);
inline void look(Thread* t, int line) {
  constexpr u32 often = 16;
  if (++t->looks % often == 0) yield(t, line);
}

}  // namespace podium::ptx
