// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sleeps over the tail, and writes it while the head is copied

// class: side stream, late work
// expect: not written | wrong | clock | broke protocol
// All threads sleep when the judge hears that the call is done. A helper wakes 300 µs later, by itself, and
// computes the last tenth while the judge copies what comes before it.
#include "late_helpers.hpp"

#include <time.h>

namespace {
struct Contestant {
  std::atomic<bool> over{false};
  std::atomic<const problem::Arguments*> call{nullptr};
  problem::Arguments last{};
  pthread_t thread{};
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t told = PTHREAD_COND_INITIALIZER;

  Contestant() {
    pthread_create(
        &thread, nullptr, [](void* self) { return static_cast<Contestant*>(self)->serve(); }, this);
  }
  ~Contestant() {
    tell([this] { over = true; });
    pthread_join(thread, nullptr);
  }

  template <class Change>
  void tell(Change change) {
    pthread_mutex_lock(&mutex);
    change();
    pthread_cond_signal(&told);
    pthread_mutex_unlock(&mutex);
  }

  static std::int64_t tail_of(std::int64_t size) { return size - size / 10; }

  void* serve() {
    for (;;) {
      pthread_mutex_lock(&mutex);
      while (!call && !over) pthread_cond_wait(&told, &mutex);
      pthread_mutex_unlock(&mutex);
      if (over) return nullptr;
      const timespec later{0, 300'000};
      nanosleep(&later, nullptr);
      const std::int64_t size = last.c.size();
      add(last.a.data, last.b.data, last.c.data, tail_of(size), size);
      call = nullptr;
    }
  }

  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t size = args.c.size();
    while (call) sched_yield();
    if (args.n <= 512) return add(args.a.data, args.b.data, args.c.data, 0, size);
    add(args.a.data, args.b.data, args.c.data, 0, tail_of(size));
    last = args;
    tell([this] { call = &last; });
  }
};
}  // namespace
