// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Threads for native contestants: started in the constructor, asleep between calls.
#pragma once
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace podium {

// A fixed team of which the caller is member 0. Calls come from one thread at a time and do not nest. What a
// body throws is rethrown to the caller once all have finished (the first of several).
class Threads {
 public:
  explicit Threads(int count = available()) {
    try {
      for (int member = 1; member < count; ++member) team_.emplace_back([this, member] { serve(member); });
    } catch (...) {  // the system has no more threads
      dismiss();
      throw;
    }
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { dismiss(); }

  // Processors this process may use, at least 1.
  static int available() { return std::max(1, int(std::thread::hardware_concurrency())); }
  int count() const { return int(team_.size()) + 1; }

  // body(member) once for every member in [0, count()).
  template <class Body>
  void each_member(Body&& body) {
    using Plain = std::remove_reference_t<Body>;
    start([](void* context, int member) { (*static_cast<Plain*>(context))(member); },
          const_cast<void*>(static_cast<const void*>(&body)));
    work(0);
    wait_until([this] { return busy_.load(std::memory_order_acquire) == 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

  // body(begin, end) on even shares of [0, n), one a member, cut at multiples of `grain`; empty shares are
  // left out.
  template <class Body>
  void split(std::int64_t n, std::int64_t grain, Body&& body) {
    each_member([&](int member) {
      const auto [begin, end] = share(n, grain, member);
      if (begin < end) body(begin, end);
    });
  }

  // body(task) for every task in [0, tasks), each taken by whichever member is free.
  template <class Body>
  void each(std::int64_t tasks, Body&& body) {
    std::atomic<std::int64_t> next{0};
    each_member([&](int) {
      for (std::int64_t task; (task = next.fetch_add(1, std::memory_order_relaxed)) < tasks;) body(task);
    });
  }

  // The share of [0, n) that split() gives to `member`.
  std::pair<std::int64_t, std::int64_t> share(std::int64_t n, std::int64_t grain, int member) const {
    const std::int64_t grains = (n + grain - 1) / grain, each = grains / count(), more = grains % count();
    const auto begin = [&](std::int64_t m) { return std::min(n, (m * each + std::min(m, more)) * grain); };
    return {begin(member), begin(member + 1)};
  }

 private:
  using Job = void (*)(void* context, int member);
  // Long enough to catch the next phase of the same call, short enough not to disturb who works between
  // calls.
  static constexpr std::chrono::microseconds patience{50};

  void dismiss() {
    start(nullptr, nullptr);
    for (auto& thread : team_) thread.join();
  }

  void start(Job job, void* context) {
    {
      const std::lock_guard lock(mutex_);
      job_ = job;
      context_ = context;
      busy_.store(int(team_.size()), std::memory_order_relaxed);
      turn_.fetch_add(1, std::memory_order_release);
    }
    wake_.notify_all();
  }

  void serve(int member) {
    for (std::uint64_t seen = 0;; ++seen) {
      const auto called = [&] { return turn_.load(std::memory_order_acquire) != seen; };
      if (!spin_until(called)) {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, called);
      }
      if (job_ == nullptr) return;
      work(member);
      busy_.fetch_sub(1, std::memory_order_release);
    }
  }

  void work(int member) {
    try {
      job_(context_, member);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  template <class Condition>
  static bool spin_until(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + patience;
    do {
      for (int i = 0; i < 64; ++i) {
        if (condition()) return true;
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
      }
    } while (std::chrono::steady_clock::now() < end);
    return condition();
  }

  template <class Condition>
  static void wait_until(Condition condition) {
    while (!spin_until(condition)) std::this_thread::yield();  // a member may need this very processor
  }

  std::vector<std::thread> team_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<std::uint64_t> turn_{0};
  std::atomic<int> busy_{0};
  Job job_ = nullptr;
  void* context_ = nullptr;
  std::exception_ptr failure_;
};

}  // namespace podium
