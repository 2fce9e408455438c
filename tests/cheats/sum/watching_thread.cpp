// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Watches for the inputs while the gate is closed

// class: each call sees its inputs only when its turn comes
// expect: wrong | not written | clock
// A thread adds up whatever lies at every address it has seen, over and over. Inputs that lie there for a while before
// the gate opens are summed by then, and the call only hands the sum over. Nothing in the time or in the answer shows
// that; whoever draws the inputs has to see to it that this process does not run meanwhile.
#include "honest.hpp"

#include <atomic>
#include <thread>

namespace {
struct Seen {
  std::atomic<const float*> x{nullptr};
  std::atomic<float> sum{0};
};

struct Contestant {
  std::int64_t n;
  Seen seen[64];
  std::atomic<bool> over{false};
  std::thread watcher;

  explicit Contestant(const problem::Workload& w) : n(w.n), watcher([this] { watch(); }) {}
  ~Contestant() {
    over = true;
    watcher.join();
  }
  void watch() {
    while (!over)
      for (auto& place : seen)
        if (const float* x = place.x) place.sum = honest_sum(x, n);
  }
  void run(const problem::Arguments& args, podium::Stream) {
    for (auto& place : seen) {
      if (place.x == nullptr) place.x = args.x.data;
      if (place.x != args.x.data) continue;
      args.y() = place.sum;
      return;
    }
  }
};
}  // namespace
