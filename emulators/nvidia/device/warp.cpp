// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Operations for which lanes of a warp meet.
#include <fmt/format.h>

#include <algorithm>

#include "emulators/nvidia/device/floating.hpp"
#include "emulators/nvidia/device/scheduler.hpp"

namespace podium::ptx {
namespace {

void complete(Warp& warp, std::size_t index, GpuThread* present) {
  const Meeting meeting = warp.meetings[index];
  warp.meetings.erase(warp.meetings.begin() + static_cast<std::ptrdiff_t>(index));
  meeting.finish(meeting.operands.data(), meeting.arrived);
  launch().happened();
  each_lane(meeting.arrived, [&](u32 lane) {
    warp.threads[lane]->met_in = warp.threads[lane]->clock.now++;
    if (warp.threads[lane] != present) make_ready(*warp.threads[lane]);
  });
}

u32 combined(Reduce how, u32 a, u32 b) {
  switch (how) {
    case Reduce::add:
      return a + b;
    case Reduce::min_u:
      return min(a, b);
    case Reduce::max_u:
      return max(a, b);
    case Reduce::min_s:
      return static_cast<u32>(min(static_cast<s32>(a), static_cast<s32>(b)));
    case Reduce::max_s:
      return static_cast<u32>(max(static_cast<s32>(a), static_cast<s32>(b)));
    case Reduce::bit_and:
      return a & b;
    case Reduce::bit_or:
      return a | b;
    case Reduce::bit_xor:
      return a ^ b;
    case Reduce::min_f:
      return bits<u32>(min(float_of(a), float_of(b)));
    case Reduce::max_f:
      return bits<u32>(max(float_of(a), float_of(b)));
    case Reduce::min_f_nan:
      return bits<u32>(min_nan(float_of(a), float_of(b)));
    case Reduce::max_f_nan:
      return bits<u32>(max_nan(float_of(a), float_of(b)));
  }
  return 0;
}

}  // namespace

void meet_any(GpuThread& thread, int line, u32 mask, const char* what, void* mine,
              void (*finish)(void* const*, u32)) {
  Warp& warp = *thread.warp;
  const u32 me = 1u << thread.lane;
  if ((mask & me) == 0)
    launch().fail(
        &thread, line,
        fmt::format("{} with the lane mask {:#x}, in which its own lane {} is not", what, mask, thread.lane));
  std::size_t index = 0;
  while (index < warp.meetings.size() && warp.meetings[index].mask != mask) ++index;
  // Each waits for a lane that waits in the other. Where only one does so, the other one completes first.
  for (const Meeting& other : warp.meetings)
    if (other.mask != mask && (other.arrived & mask) != 0 && (other.mask & me) != 0)
      launch().fail(
          &thread, line,
          fmt::format("{} with the lane mask {:#x}, while lanes {:#x} of it wait in {} with the mask "
                      "{:#x} at PTX line {}",
                      what, mask, other.arrived & mask, other.what, other.mask, other.line));
  if (index == warp.meetings.size())
    warp.meetings.push_back(
        {.what = what, .mask = mask, .arrived = 0, .line = line, .operands = {}, .finish = finish});
  Meeting& meeting = warp.meetings[index];
  if (meeting.finish != finish)
    launch().fail(
        &thread, line,
        fmt::format("{} meets {} of other lanes of its warp at PTX line {}; all lanes of a mask must "
                    "execute the same instruction",
                    what, meeting.what, meeting.line));
  meeting.operands[thread.lane] = mine;
  meeting.arrived |= me;
  const u32 wanted = mask & warp.alive;
  if ((meeting.arrived & wanted) != wanted) return wait(thread, Waiting::warp, mask, 0, line);
  complete(warp, index, &thread);
}

void meetings_without(GpuThread& gone) {
  Warp& warp = *gone.warp;
  for (std::size_t i = 0; i < warp.meetings.size();) {
    const u32 wanted = warp.meetings[i].mask & warp.alive;
    if ((warp.meetings[i].arrived & wanted) == wanted)
      complete(warp, i, nullptr);
    else
      ++i;
  }
}

void warp_sync(Thread* t, int line, u32 mask) {
  meet<Thread>(t, line, mask, "bar.warp.sync", *t, [](Thread* const* all, u32 lanes) {
    Rendezvous met;
    each_lane(lanes, [&](u32 lane) { met.arrive(of(all[lane])); });
    met.complete();
    each_lane(lanes, [&](u32 lane) { met.leave(of(all[lane]), true); });
  });
}

Shuffled shuffle(Thread* t, int line, u32 mask, Shuffle how, u32 value, u32 b, u32 c) {
  struct Operands {
    Shuffle how;
    u32 value, b, c, result;
    bool in_range;
  } mine{how, value, b, c, 0, false};
  meet<Operands>(t, line, mask, "shfl.sync", mine, [](Operands* const* all, u32 lanes) {
    each_lane(lanes, [&](u32 lane) {
      Operands& q = *all[lane];
      const int segment = static_cast<int>(q.c >> 8 & 31), clamp = static_cast<int>(q.c & 31),
                at = static_cast<int>(lane);
      const int least = at & segment, most = least | (clamp & ~segment), by = static_cast<int>(q.b & 31);
      int from = 0;
      switch (q.how) {
        case Shuffle::up:
          from = at - by;
          q.in_range = from >= most;
          break;
        case Shuffle::down:
          from = at + by;
          q.in_range = from <= most;
          break;
        case Shuffle::butterfly:
          from = at ^ by;
          q.in_range = from <= most;
          break;
        case Shuffle::index:
          from = least | (by & ~segment);
          q.in_range = from <= most;
          break;
      }
      if (!q.in_range) from = at;
      // A lane that does not take part has no value: the ISA calls it undefined.
      constexpr u32 nobody = 0xdeadbeef;
      q.result = (lanes >> from & 1) != 0 ? all[from]->value : nobody;
    });
  });
  return {mine.result, mine.in_range};
}

u32 ballot(Thread* t, int line, u32 mask, bool p) {
  struct Operands {
    bool p;
    u32 result;
  } mine{p, 0};
  meet<Operands>(t, line, mask, "vote.sync", mine, [](Operands* const* all, u32 lanes) {
    u32 result = 0;
    each_lane(lanes, [&](u32 lane) { result |= static_cast<u32>(all[lane]->p) << lane; });
    each_lane(lanes, [&](u32 lane) { all[lane]->result = result; });
  });
  return mine.result;
}

namespace {

struct MatchOperands {
  u64 value;
  u32 equal, lanes;
};
MatchOperands matched(Thread* t, int line, u32 mask, u64 value) {
  MatchOperands mine{value, 0, 0};
  meet<MatchOperands>(t, line, mask, "match.sync", mine, [](MatchOperands* const* all, u32 lanes) {
    each_lane(lanes, [&](u32 lane) {
      all[lane]->lanes = lanes;
      each_lane(lanes, [&](u32 other) {
        if (all[other]->value == all[lane]->value) all[lane]->equal |= 1u << other;
      });
    });
  });
  return mine;
}

}  // namespace

Matched match_any(Thread* t, int line, u32 mask, u64 value) {
  const auto mine = matched(t, line, mask, value);
  return {mine.equal, mine.equal == mine.lanes};
}
Matched match_all(Thread* t, int line, u32 mask, u64 value) {
  const auto mine = matched(t, line, mask, value);
  const bool all = mine.equal == mine.lanes;
  return {all ? mine.equal : 0, all};
}

u32 reduce(Thread* t, int line, u32 mask, Reduce how, u32 value, bool absolute) {
  struct Operands {
    Reduce how;
    u32 value, result;
  } mine{how, absolute ? value & 0x7fffffff : value, 0};
  meet<Operands>(t, line, mask, "redux.sync", mine, [](Operands* const* all, u32 lanes) {
    u32 result = 0;
    bool first = true;
    each_lane(lanes, [&](u32 lane) {
      result = first ? all[lane]->value : combined(all[lane]->how, result, all[lane]->value);
      first = false;
    });
    each_lane(lanes, [&](u32 lane) { all[lane]->result = result; });
  });
  return mine.result;
}

Elected elect(Thread* t, int line, u32 mask) {
  u32 chosen = 0;
  meet<u32>(t, line, mask, "elect.sync", chosen, [](u32* const* all, u32 lanes) {
    each_lane(lanes, [&](u32 lane) { *all[lane] = static_cast<u32>(__builtin_ctz(lanes)); });
  });
  return {chosen, chosen == t->lane};
}

// Any set of lanes that reach it together is right; each reaches it alone here.
u32 active_mask(Thread* t) { return 1u << t->lane; }

}  // namespace podium::ptx
