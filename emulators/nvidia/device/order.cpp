// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Barriers, fences, and words that are read and written as atomic, relaxed or volatile. In one point more is
// taken for ordered than the ISA promises, because kernels rely on it and devices keep it: a fence and the
// flag that it goes with may be of two threads of a block, if a barrier lies between them.
#include <utility>

#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

// By number, as arrays have them.
constexpr u32 level(Scope scope) { return static_cast<u32>(scope); }

// What the threads are together that a scope speaks to.
u64 group_of(const GpuThread& thread, u32 scope) {
  return scope == level(Scope::block)     ? thread.block->number
         : scope == level(Scope::cluster) ? thread.block->cluster->number
                                          : 0;
}

Moment moment(const GpuThread& thread, u32 epoch) {
  return {thread.block->number, thread.linear, thread.block->threads, epoch};
}

void know(GpuThread& thread, Known known) {
  thread.clock.known = std::move(known);
  thread.clock.of_block = thread.clock.known ? thread.clock.known->of_block(thread.block->number) : nullptr;
}
void learn(GpuThread& thread, const Known& more) {
  if (more && more != thread.clock.known) know(thread, joined(thread.clock.known, more));
}
void join(Known& known, const Known& more) {
  if (more && more != known) known = joined(known, more);
}

Known of_global(const Known& known) {
  if (!known) return nullptr;
  Knowledge all = *known;
  for (Knowledge::OfBlock& of_block : all.blocks) of_block.block |= global_bit;
  return Known::make(std::move(all));
}

void add_fenced(Gathering& to, const Clock& clock, Moment own, u32 scope) {
  const Clock::Fenced& fenced = clock.fenced[scope];
  to.add(fenced.of_others);
  own.epoch = fenced.epoch;
  if (fenced.epoch != 0) to.add(fenced.own, own);
}
bool has_fenced(const Clock& clock, u32 scope) {
  return clock.fenced[scope].epoch != 0 || clock.fenced[scope].of_others;
}

// A cluster's own words are its shared memory's.
SyncWords& words_at(Thread* t, const u8* at) {
  const u64 address = reinterpret_cast<u64>(at);
  if (is_shared(t, address)) return of(t).block->cluster->sync_words;
  if (!is_local(t, address)) launch().needs_one_thread();
  return launch().sync_words();
}

}  // namespace

Arrival::Arrival(GpuThread& thread) : clock(thread.clock), own(moment(thread, thread.clock.now++)) {}

void Rendezvous::arrive(GpuThread& thread) { arrive(thread.clock, moment(thread, thread.clock.now++)); }
void Rendezvous::arrive(const Clock& clock, const Moment& own) {
  all_.add(clock.known, own);
  if (!clock.more) return;
  more_ = true;
  proxied_.add(clock.proxied);
  for (u32 scope = 0; scope < scopes; ++scope) {
    if (has_fenced(clock, scope)) add_fenced(fenced_[scope], clock, own, scope);
    pending_[scope].add(clock.pending[scope]);
  }
}
void Rendezvous::complete(const Known& of_ended, const Moment* also) {
  all_.add(of_ended);
  if (also) all_.add(nullptr, *also);
  known_ = all_.snapshot();
  all_.clear();
  if (!more_ && !known_more_) return;
  known_more_ = std::exchange(more_, false);
  known_proxied_ = proxied_.snapshot();
  proxied_.clear();
  for (u32 scope = 0; scope < scopes; ++scope) {
    known_fenced_[scope] = fenced_[scope].snapshot();
    fenced_[scope].clear();
    known_pending_[scope] = pending_[scope].snapshot();
    pending_[scope].clear();
  }
}
void Rendezvous::leave(GpuThread& thread, bool replaces) const {
  if (replaces)
    know(thread, known_);
  else
    learn(thread, known_);
  if (!known_more_) return;
  thread.clock.more = true;
  join(thread.clock.proxied, known_proxied_);
  for (u32 scope = 0; scope < scopes; ++scope) {
    join(thread.clock.fenced[scope].of_others, known_fenced_[scope]);
    join(thread.clock.pending[scope], known_pending_[scope]);
  }
}

void learn(GpuThread& thread, const Moment& more) {
  Gathering all;
  all.add(thread.clock.known, more);
  know(thread, all.snapshot());
}

void fence(Thread* t, Scope scope) {
  Clock& clock = of(t).clock;
  clock.more = true;
  for (u32 s = 0; s <= level(scope); ++s) {
    learn(of(t), clock.pending[s]);
    clock.pending[s].reset();
  }
  for (u32 s = 0; s <= level(scope); ++s) clock.fenced[s] = {nullptr, clock.known, clock.now};
  ++clock.now;
}

void fence_proxy(Thread* t, bool shared, bool global) {
  GpuThread& thread = of(t);
  thread.clock.more = true;
  const Moment own = moment(thread, thread.clock.now++);
  Gathering all;
  all.add(thread.clock.proxied);
  if (shared) all.add(thread.clock.known, own);
  if (global)
    all.add(of_global(thread.clock.known), {own.block | global_bit, own.thread, own.threads, own.epoch});
  thread.clock.proxied = all.snapshot();
}

void publish(Thread* t, const u8* at, bool releases, bool replaces, Scope scope) {
  GpuThread& thread = of(t);
  SyncWords& words = words_at(t, at);
  launch().told(thread.number) = thread.clock.now++;
  if (!releases && !has_fenced(thread.clock, level(Scope::block))) {
    if (replaces && !words.empty()) words.erase(at);
    return;
  }
  SyncWord& word = words[at];
  for (u32 s = 0; s < scopes; ++s) {
    if (replaces) word.fenced[s].clear();
    if (has_fenced(thread.clock, s))
      add_fenced(word.fenced[s][group_of(thread, s)], thread.clock, moment(thread, 0), s);
  }
  word.proxied.add(thread.clock.proxied);
  if (!releases) return;
  const Moment own = moment(thread, thread.clock.now++);
  for (u32 s = 0; s <= level(scope); ++s) word.fenced[s][group_of(thread, s)].add(thread.clock.known, own);
}

void observe(Thread* t, const u8* at, bool acquires, Scope scope) {
  const u64 address = reinterpret_cast<u64>(at);
  if (Block& block = *of(t).block; !block.visits.empty() && is_own_shared(t, address))
    see_done(block, static_cast<u32>(shared_of(t, address)) & offset_mask);
  SyncWords& words = words_at(t, at);
  if (words.empty()) return;
  const auto found = words.find(at);
  if (found == words.end()) return;
  GpuThread& thread = of(t);
  thread.clock.more = true;
  auto& pending = thread.clock.pending;
  for (u32 s = 0; s < scopes; ++s)
    if (const auto left = found->second.fenced[s].find(group_of(thread, s));
        left != found->second.fenced[s].end())
      join(pending[s], left->second.snapshot());
  join(thread.clock.proxied, found->second.proxied.snapshot());
  if (!acquires) return;
  for (u32 s = 0; s <= level(scope); ++s) learn(thread, pending[s]);
}

}  // namespace podium::ptx
