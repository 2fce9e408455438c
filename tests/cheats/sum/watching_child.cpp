// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Watches for the inputs from a process of its own

// class: inputs before their turn
// expect: wrong | broke protocol | threw
// needs: sandbox  (that keeps processes among the worker's descendants)
// A child maps the same memory, is woken by a timer, and leaves the sum where its parent finds it.
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <stdexcept>

#include "watching.hpp"

namespace {
struct Left {
  volatile std::uintptr_t x;
  volatile float sum;
};

[[noreturn]] void watch(const void* y, std::int64_t n, Left* left) {
  timer_t timer{};
  signal(SIGCONT, [](int) {});  // the timer of an ignored signal rests
  sigevent wake{};
  wake.sigev_notify = SIGEV_SIGNAL;
  wake.sigev_signo = SIGCONT;
  const itimerspec every{{0, 15'000'000}, {0, 15'000'000}};
  if (timer_create(CLOCK_MONOTONIC, &wake, &timer) == 0) timer_settime(timer, 0, &every, nullptr);
  Inputs inputs(y);
  for (;;)
    if (const float* x = inputs.look(n)) {
      left->sum = honest_sum(x, n);
      left->x = reinterpret_cast<std::uintptr_t>(x);
    }
}

struct Contestant {
  std::int64_t n;
  Left* left;
  pid_t child = -1;

  explicit Contestant(const problem::Workload& w)
      : n(w.n),
        left(static_cast<Left*>(
            mmap(nullptr, sizeof(Left), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~Contestant() {
    if (child > 0) kill(child, SIGKILL), waitpid(child, nullptr, 0);
  }
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = left->x == reinterpret_cast<std::uintptr_t>(args.x.data) ? left->sum : 0.0f;
    if (child > 0) return;
    child = fork();
    if (child == 0) watch(args.y.data, n, left);
    if (child < 0) throw std::runtime_error("no process of its own here");
  }
};
}  // namespace
