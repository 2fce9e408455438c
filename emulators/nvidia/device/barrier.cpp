// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Barriers of a block and of a cluster.
#include <fmt/format.h>

#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

void complete_if_full(Block& block, u32 id) {
  Bar& bar = block.bars[id];
  const s64 wanted = bar.count < 0 ? block.alive : bar.count;
  if (bar.arrived == 0 || bar.arrived < wanted) return;
  bar.result = bar.combine == Combine::popc  ? bar.sum
               : bar.combine == Combine::all ? bar.sum == bar.threads
                                             : bar.sum != 0;
  bar.arrived = bar.threads = bar.sum = 0;
  ++bar.phase;
  launch().happened();
  bar.met.complete(block.cluster->ended.snapshot());
  for (Warp& warp : block.warps)
    each_lane(warp.alive, [&](u32 lane) {
      GpuThread& thread = *warp.threads[lane];
      if (thread.waiting != Waiting::barrier || thread.waits_at != id) return;
      bar.met.leave(thread, true);
      make_ready(thread);
    });
}

// A barrier counts warps, of 32 threads each: once all lanes that live are there, also those that do not.
void count_rest_of_warp(const Warp& warp, Bar& bar, Bar::OfWarp& there) {
  if (bar.count < 0 || there.phase != bar.phase + 1 || (warp.alive & ~there.lanes) != 0) return;
  bar.arrived += 32 - static_cast<u32>(__builtin_popcount(there.lanes));
  there.lanes = ~u32{0};
}

// .aligned: all lanes of a warp must execute the same barriers, one after the other, or an H200 waits for
// ever. Of one barrier of the source there may be two, where nvcc has unrolled a loop; so PTX lines are told,
// too.
void come_together(GpuThread& thread, int line, u32 id) {
  const u64 number = ++thread.barriers;
  Warp::Barrier& first = thread.warp->barriers[number % thread.warp->barriers.size()];
  if (first.number < number) first = {number, thread.number, line, id};
  if (first.number > number || (first.line == line && first.id == id)) return;
  launch().fail(
      &thread, line,
      fmt::format("it arrives at barrier {}, and in place of that {} at barrier {}: all lanes of a warp must "
                  "execute the same barrier",
                  id, who(first.thread - launch().first_number(), first.line, "of its warp"), first.id));
}

// Whether it completed the barrier.
bool arrive(GpuThread& thread, int line, u32 id, s64 count, Combine combine, bool p, bool aligned) {
  const auto refuse = [&](const std::string& what) { launch().fail(&thread, line, what); };
  if (id >= 16) refuse(fmt::format("there is no barrier {}, only 0 to 15", id));
  if (count == 0 || (count > 0 && count % 32 != 0))
    refuse(fmt::format("barrier {} with {} threads, which is no multiple of a warp's 32", id, count));
  Bar& bar = thread.block->bars[id];
  if (bar.arrived == 0) {
    bar.count = count;
    bar.combine = combine;
    bar.line = line;
  } else if (bar.count != count) {
    const auto text = [](s64 n) { return n < 0 ? std::string("all") : std::to_string(n); };
    refuse(fmt::format(
        "barrier {} for {} threads, while others wait there for {} since PTX line {}: all must name "
        "the same count",
        id, text(count), text(bar.count), bar.line));
  }
  Bar::OfWarp& there = thread.warp->at_bars[id];
  if (there.phase != bar.phase + 1) there = {bar.phase + 1, 0};
  if ((there.lanes >> thread.lane & 1) != 0)
    refuse(
        fmt::format("the thread arrives at barrier {} a second time before it completes: others may be let "
                    "through early",
                    id));
  if (aligned) come_together(thread, line, id);
  there.lanes |= 1u << thread.lane;
  ++bar.arrived;
  ++bar.threads;
  bar.sum += p;
  bar.met.arrive(thread);
  count_rest_of_warp(*thread.warp, bar, there);
  if (bar.count >= 0 && bar.arrived > bar.count)
    refuse(fmt::format("{} threads arrive at barrier {} for {}", bar.arrived, id, bar.count));
  const u64 phase = bar.phase;
  complete_if_full(*thread.block, id);
  return bar.phase != phase;
}

u32 pass(GpuThread& thread, int line, u32 id, s64 count, Combine combine, bool p, bool aligned) {
  const bool completed = arrive(thread, line, id, count, combine, p, aligned);
  const Bar& bar = thread.block->bars[id];
  if (completed)
    bar.met.leave(thread, true);
  else
    wait(thread, Waiting::barrier, id, 0, line);
  return bar.result;
}

}  // namespace

void barrier(Thread* t, int line, u32 id, s64 count) {
  pass(of(t), line, id, count, Combine::any, false, true);
}
void barrier_arrive(Thread* t, int line, u32 id, s64 count) {
  static_cast<void>(arrive(of(t), line, id, count, Combine::any, false, true));
}
u32 barrier_reduce(Thread* t, int line, u32 id, s64 count, Combine combine, bool p) {
  return pass(of(t), line, id, count, combine, p, true);
}
void lone_barrier(Thread* t, int line, u32 id, s64 count) {
  pass(of(t), line, id, count, Combine::any, false, false);
}
void lone_barrier_arrive(Thread* t, int line, u32 id, s64 count) {
  static_cast<void>(arrive(of(t), line, id, count, Combine::any, false, false));
}
u32 lone_barrier_reduce(Thread* t, int line, u32 id, s64 count, Combine combine, bool p) {
  return pass(of(t), line, id, count, combine, p, false);
}

void barriers_without(GpuThread& gone) {
  Block& block = *gone.block;
  for (u32 id = 0; id < block.bars.size(); ++id) {
    Bar& bar = block.bars[id];
    if (bar.arrived == 0) continue;
    count_rest_of_warp(*gone.warp, bar, gone.warp->at_bars[id]);
    complete_if_full(block, id);
  }
}

void cluster_without(Cluster& cluster) {
  if (cluster.arrived == 0 || cluster.arrived < cluster.alive) return;
  cluster.arrived = 0;
  cluster.phase = !cluster.phase;
  cluster.met.complete(cluster.ended.snapshot());
  launch().happened();
  for (const auto& thread : cluster.threads)
    if (thread->waiting == Waiting::cluster) make_ready(*thread);  // and learns there
}

void cluster_arrive(Thread* t, int) {
  GpuThread& thread = of(t);
  Cluster& cluster = *thread.block->cluster;
  thread.cluster_phase = cluster.phase;
  thread.cluster_arrived = true;
  ++cluster.arrived;
  cluster.met.arrive(thread);
  cluster_without(cluster);
}
void cluster_wait(Thread* t, int line) {
  GpuThread& thread = of(t);
  if (thread.block->cluster->phase == thread.cluster_phase) wait(thread, Waiting::cluster, 0, 0, line);
  thread.cluster_arrived = false;
  thread.block->cluster->met.leave(thread, false);
}

}  // namespace podium::ptx
