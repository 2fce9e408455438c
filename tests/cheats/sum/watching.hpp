// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Who looks for the inputs in the shared memory, over and over, and a thread that adds them up. A helper: no
// contestant.
#pragma once
#include <atomic>
#include <thread>
#include <vector>

#include "honest.hpp"
#include "mappings.hpp"

namespace {
// Addresses are drawn anew for every call, and what earlier calls left stays where it was; but tensors begin
// every 256 bytes at the most, behind a byte that is repeated, and what was written since the last look
// differs.
class Inputs {
 public:
  // `y`: an output of the warm-up.
  explicit Inputs(const void* y) : between_(word(reinterpret_cast<std::uintptr_t>(y) - apart)) {
    for (const auto& mapping : mappings())
      if (const auto at = reinterpret_cast<std::uintptr_t>(y); at >= mapping.begin && at < mapping.end)
        shared_ = mapping;
    seen_.resize((shared_.end - shared_.begin) / apart);
    look(0);
  }
  // `n` numbers that were not there at the last look; nullptr: there are none.
  const float* look(std::int64_t n) {
    std::uintptr_t fresh = 0;
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      const auto at = shared_.begin + k * apart;
      const auto now = word(at);
      if (now == seen_[k]) continue;
      seen_[k] = now;
      if (now != between_ && fresh == 0) fresh = at;
    }
    if (fresh == 0) return nullptr;
    while (fresh > shared_.begin && word(fresh - apart) != between_) fresh -= apart;
    return fresh + std::uintptr_t(n) * sizeof(float) <= shared_.end ? reinterpret_cast<const float*>(fresh)
                                                                    : nullptr;
  }

 private:
  static constexpr std::uintptr_t apart = 256;
  static std::uint64_t word(std::uintptr_t at) {
    return *reinterpret_cast<const volatile std::uint64_t*>(at);
  }
  std::uint64_t between_;
  Mapping shared_{};
  std::vector<std::uint64_t> seen_;
};

struct Watcher {
  std::int64_t n;
  const void* y = nullptr;  // of the warm-up
  std::atomic<const float*> seen{nullptr};
  std::atomic<float> sum{0};
  std::atomic<bool> over{false};
  std::thread thread;

  explicit Watcher(const problem::Workload& w) : n(w.n) {}
  ~Watcher() {
    over = true;
    if (thread.joinable()) thread.join();
  }

  void watch() {
    Inputs inputs(y);
    while (!over)
      if (const float* x = inputs.look(n)) {
        const float total = honest_sum(x, n);
        sum = total;
        seen = x;
      }
  }

  // Hands over the sum of these inputs if it is there already. True: the thread has begun with this call.
  bool answer(const problem::Arguments& args) {
    args.y() = seen == args.x.data ? sum.load() : 0.0f;
    if (y) return false;
    y = args.y.data;
    thread = std::thread([this] { watch(); });
    return true;
  }
};
}  // namespace
