// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Threads for native contestants: started in the constructor, asleep between calls.
//
// POSIX threads and the compiler's own atomics: compiling the standard library's headers takes longer than
// compiling a contestant.
#pragma once
#include <podium/error.hpp>

#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <exception>
#include <type_traits>
#include <utility>

namespace podium {

// A fixed team; the caller is member 0. Call from one thread at a time, and do not nest calls. An exception
// of a body is rethrown to the caller once all members have finished (the first of several).
class Threads {
 public:
  // Throws Error if the system has no more threads.
  explicit Threads(int count = available()) : team_(new Member[count > 1 ? count - 1 : 0]) {
    while (count_ < count) {
      Member& member = team_[count_ - 1];
      member = {this, count_, {}};
      if (pthread_create(&member.thread, nullptr, serve, &member) != 0) {
        dismiss();
        throw Error("the system has no more threads");
      }
      ++count_;
    }
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() { dismiss(); }

  // Processors of this machine, at least 1.
  static int available() {
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 1 ? static_cast<int>(online) : 1;
  }
  int count() const { return count_; }

  // body(member) once for every member in [0, count()).
  template <class Body>
  void each_member(Body&& body) {
    using Plain = std::remove_reference_t<Body>;
    start([](void* context, int member) { (*static_cast<Plain*>(context))(member); },
          const_cast<void*>(static_cast<const void*>(&body)));
    work(0);
    wait_until([this] { return __atomic_load_n(&busy_, __ATOMIC_ACQUIRE) == 0; });
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
    std::int64_t next = 0;
    each_member([&](int) {
      for (std::int64_t task; (task = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < tasks;) body(task);
    });
  }

  // The share of [0, n) that split() gives to `member`.
  std::pair<std::int64_t, std::int64_t> share(std::int64_t n, std::int64_t grain, int member) const {
    const std::int64_t grains = (n + grain - 1) / grain, each = grains / count(), more = grains % count();
    const auto begin = [&](std::int64_t m) {
      const std::int64_t at = (m * each + (m < more ? m : more)) * grain;
      return at < n ? at : n;
    };
    return {begin(member), begin(member + 1)};
  }

 private:
  using Job = void (*)(void* context, int member);
  struct Member {
    Threads* team;
    int number;
    pthread_t thread;
  };
  struct Lock {
    pthread_mutex_t& mutex;
    explicit Lock(pthread_mutex_t& mutex) : mutex(mutex) { pthread_mutex_lock(&mutex); }
    Lock(const Lock&) = delete;
    ~Lock() { pthread_mutex_unlock(&mutex); }
  };
  // Nanoseconds: long enough to catch the next phase of the same call, short enough not to disturb others
  // between calls.
  static constexpr std::int64_t patience = 50'000;

  void dismiss() {
    start(nullptr, nullptr);
    for (int member = 1; member < count_; ++member) pthread_join(team_[member - 1].thread, nullptr);
    delete[] team_;
  }

  void start(Job job, void* context) {
    {
      const Lock lock(mutex_);
      job_ = job;
      context_ = context;
      __atomic_store_n(&busy_, count_ - 1, __ATOMIC_RELAXED);
      __atomic_fetch_add(&turn_, 1, __ATOMIC_RELEASE);
    }
    pthread_cond_broadcast(&wake_);
  }

  static void* serve(void* member) {
    const Member& self = *static_cast<const Member*>(member);
    self.team->serve(self.number);
    return nullptr;
  }

  void serve(int member) {
    for (std::uint64_t seen = 0;; ++seen) {
      const auto called = [&] { return __atomic_load_n(&turn_, __ATOMIC_ACQUIRE) != seen; };
      if (!spin_until(called)) {
        const Lock lock(mutex_);
        while (!called()) pthread_cond_wait(&wake_, &mutex_);
      }
      if (job_ == nullptr) return;
      work(member);
      __atomic_fetch_sub(&busy_, 1, __ATOMIC_RELEASE);
    }
  }

  void work(int member) {
    try {
      job_(context_, member);
    } catch (...) {
      const Lock lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
    }
  }

  static std::int64_t now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
  }

  template <class Condition>
  static bool spin_until(Condition condition) {
    const std::int64_t end = now() + patience;
    do {
      for (int i = 0; i < 64; ++i) {
        if (condition()) return true;
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
      }
    } while (now() < end);
    return condition();
  }

  template <class Condition>
  static void wait_until(Condition condition) {
    while (!spin_until(condition)) sched_yield();  // a member may need this very processor
  }

  Member* team_;   // all but the caller
  int count_ = 1;  // with the caller; who has been started
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake_ = PTHREAD_COND_INITIALIZER;
  std::uint64_t turn_ = 0;
  int busy_ = 0;
  Job job_ = nullptr;
  void* context_ = nullptr;
  std::exception_ptr failure_;
};

}  // namespace podium
