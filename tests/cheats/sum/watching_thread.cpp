// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Watches for the inputs while the gate is closed

// class: each call sees its inputs only when its turn comes
// expect: wrong
// Addresses are drawn anew for every call, but what lies between the tensors is one byte repeated, so the
// first thing in the shared memory that is not that byte is the input. A thread looks for it and adds it up,
// over and over: inputs that lie there for a while before the gate opens are summed by then, and the call
// only hands the sum over. Nothing in the time or in the answer shows that; whoever draws the inputs has to
// see to it that this process stands still meanwhile.
#include <atomic>
#include <thread>

#include "honest.hpp"
#include "mappings.hpp"

namespace {
struct Contestant {
  std::int64_t n;
  std::uintptr_t y = 0;  // an address in the shared memory, from the warm-up
  std::atomic<const float*> seen{nullptr};
  std::atomic<float> sum{0};
  std::atomic<bool> over{false};
  std::thread watcher;

  explicit Contestant(const problem::Workload& w) : n(w.n) {}
  ~Contestant() {
    over = true;
    if (watcher.joinable()) watcher.join();
  }

  void watch() {
    Mapping shared{};
    for (const auto& mapping : mappings())
      if (y >= mapping.begin && y < mapping.end) shared = mapping;
    const auto between =
        std::uint64_t(*reinterpret_cast<const unsigned char*>(shared.begin)) * 0x0101010101010101u;
    while (!over) {
      auto at = shared.begin;
      while (at < shared.end && *reinterpret_cast<const volatile std::uint64_t*>(at) == between) at += 256;
      if (at + std::uintptr_t(n) * sizeof(float) > shared.end) continue;
      const auto* x = reinterpret_cast<const float*>(at);
      const float total = honest_sum(x, n);
      sum = total;
      seen = x;
    }
  }

  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = seen == args.x.data ? sum.load() : 0.0f;
    if (y != 0) return;
    y = reinterpret_cast<std::uintptr_t>(args.y.data);
    watcher = std::thread([this] { watch(); });
  }
};
}  // namespace
