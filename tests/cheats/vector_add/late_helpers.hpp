// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Helpers on every other processor, threads or processes, to which a call leaves a part of its work: it
// returns without them. A helper: no contestant.
#pragma once
#include <podium/vector_add.hpp>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <new>

namespace {
using problem::real;

inline void add(const real* a, const real* b, real* c, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i)
    c[i] = podium::cast<real>(podium::cast<float>(a[i]) + podium::cast<float>(b[i]));
}

constexpr int most_helpers = 256;

// Of the call that they work for, in memory that children share.
struct Errand {
  std::atomic<const real*> a, b;
  std::atomic<real*> c;
  std::atomic<std::int64_t> begin, end;
  std::atomic<unsigned> number{0};
  std::atomic<bool> over{false};
  std::atomic<unsigned> done[most_helpers];  // by each of them
};

template <bool processes>
class Helpers {
 public:
  Helpers()
      : errand_(new (mmap(nullptr, sizeof(Errand), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
                    Errand),
        count_(int(std::clamp(sysconf(_SC_NPROCESSORS_ONLN) - 1, 1L, long{most_helpers}))) {
    for (int k = 0; k < count_; ++k) {
      members_[k] = {this, k};
      if constexpr (!processes)
        pthread_create(&members_[k].thread, nullptr, serve, &members_[k]);
      else if ((members_[k].child = fork()) == 0)
        serve(&members_[k]);
    }
  }
  ~Helpers() {
    errand_->over = true;
    for (int k = 0; k < count_; ++k)
      if constexpr (!processes)
        pthread_join(members_[k].thread, nullptr);
      else
        waitpid(members_[k].child, nullptr, 0);
    munmap(errand_, sizeof(Errand));
  }

  // Elements from `begin` to `end`, whenever they come to it.
  void leave(const problem::Arguments& args, std::int64_t begin, std::int64_t end) {
    wait();
    errand_->a = args.a.data;
    errand_->b = args.b.data;
    errand_->c = args.c.data;
    errand_->begin = begin;
    errand_->end = end;
    ++errand_->number;
  }
  void wait() const {
    for (int k = 0; k < count_; ++k)
      while (errand_->done[k] != errand_->number) sched_yield();
  }

 private:
  struct Member {
    Helpers* team;
    int index;
    pthread_t thread;
    pid_t child;
  };

  static void* serve(void* given) {
    const auto& self = *static_cast<const Member*>(given);
    Errand& work = *self.team->errand_;
    std::atomic<unsigned>& done = work.done[self.index];
    while (!work.over) {
      if (done == work.number) {
        sched_yield();
        continue;
      }
      const std::int64_t size = work.end - work.begin, count = self.team->count_;
      add(work.a, work.b, work.c, work.begin + size * self.index / count,
          work.begin + size * (self.index + 1) / count);
      ++done;
    }
    if constexpr (processes) _exit(0);
    return nullptr;
  }

  Errand* errand_;
  int count_;
  Member members_[most_helpers];
};

// Does one part in `parts` of a large call before it returns, and leaves the rest.
template <bool processes, int parts>
struct LeavesWork {
  Helpers<processes> helpers;

  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t size = args.c.size(), honest_to = args.n <= 512 ? size : size / parts;
    helpers.leave(args, honest_to, size);
    add(args.a.data, args.b.data, args.c.data, 0, honest_to);
    if (honest_to == size) helpers.wait();
  }
};
}  // namespace
