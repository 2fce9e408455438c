// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the emulation knows of a GPU thread and of a warp, and the results of warp operations.
#pragma once
#include <podium/emulation/library/text.hpp>

#include <bit>
#include <string>
#include <vector>

namespace podium::host {

class Fiber;

struct Thread {
  enum class State { running, at_barrier, in_warp, returned };  // running: or ready to
  uint3 id;
  State state;
  Fiber* fiber;  // where it is suspended
  Place at;      // what it waits for
  // Of the warp operation it is in:
  Exchange kind;
  std::uint64_t mask;
  unsigned source;  // the lane a shuffle reads
  std::uint64_t in, out;
};

// A bit a lane.
struct Warp {
  std::uint64_t returned = 0;  // lanes that have left the kernel, or that the block is too small for
  std::uint64_t waiting = 0;   // lanes in a warp operation
};

// Gives every lane of `group` its result; false if they are not in one and the same operation. Done once for
// all by the last to arrive, so that no lane reads what another has moved on from.
inline bool combine(Thread* lanes, std::uint64_t group) {
  const Thread& first = lanes[std::countr_zero(group)];
  std::uint64_t votes = 0;
  for (std::uint64_t rest = group; rest; rest &= rest - 1) {
    const int l = std::countr_zero(rest);
    if (lanes[l].mask != first.mask || !same(lanes[l].at, first.at)) return false;
    votes |= std::uint64_t{lanes[l].in != 0} << l;
  }
  for (std::uint64_t rest = group; rest; rest &= rest - 1) {
    Thread& t = lanes[std::countr_zero(rest)];
    switch (t.kind) {
      case Exchange::none:
        break;
      case Exchange::ballot:
        t.out = votes;
        break;
      case Exchange::shuffle:  // a lane that takes no part has no value: all bits set is poison
        t.out = group >> t.source & 1 ? lanes[t.source].in : ~std::uint64_t{0};
        break;
      case Exchange::match:
        t.out = 0;
        for (std::uint64_t others = group; others; others &= others - 1) {
          const int l = std::countr_zero(others);
          t.out |= std::uint64_t{lanes[l].in == t.in} << l;
        }
        break;
    }
  }
  return true;
}

// One line a run of threads of the same fate, of the first `started` threads begun.
inline std::string waiting(const std::vector<Thread>& threads, unsigned started) {
  using State = Thread::State;
  const auto alike = [](const Thread& a, const Thread& b) {
    return a.state == b.state &&
           (a.state == State::running || a.state == State::returned || same(a.at, b.at));
  };
  std::string result;
  for (std::size_t i = 0; i < threads.size();) {
    std::size_t last = i;
    while (last + 1 < threads.size() && alike(threads[i], threads[last + 1])) ++last;
    result += "\n  threads " + text(threads[i].id) + " to " + text(threads[last].id) + ": ";
    switch (threads[i].state) {
      case State::running:
        result += started < threads.size() ? "not begun, or able to run" : "able to run";
        break;
      case State::returned:
        result += "returned";
        break;
      default:
        result += "wait in " + text(threads[i].at);
    }
    i = last + 1;
  }
  return result;
}

}  // namespace podium::host
