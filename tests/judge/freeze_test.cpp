// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A worker that was told to stand still: whether it did is seen, also if it stands still again by then.
#include "suite/judge/freeze.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace podium::judge {
namespace {

using namespace std::chrono_literals;

void never() {
  for (;;) pause();
}

void count() {
  for (volatile long counter = 0;;) counter = counter + 1;
}

// Goes on whenever its timer says so, and stands still again of itself if `shortly`.
template <bool shortly>
void count_by_timer() {
  signal(SIGCONT, [](int) {
    for (volatile int step = 0; step < 100'000;) step = step + 1;
    if (shortly) raise(SIGSTOP);
  });
  timer_t timer{};
  sigevent wake{};
  wake.sigev_notify = SIGEV_SIGNAL;
  wake.sigev_signo = SIGCONT;
  const itimerspec every{{0, 60'000'000}, {0, 60'000'000}};
  if (timer_create(CLOCK_MONOTONIC, &wake, &timer) != 0 || timer_settime(timer, 0, &every, nullptr) != 0)
    _exit(1);
  count();
}

// Whether a process that does `work` is seen to stand still for 200 ms.
bool stands_still(void (*work)()) {
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    work();
  }
  setpgid(child, child);
  std::this_thread::sleep_for(30ms);  // it works by now
  Group group(child);
  bool still = false;
  {
    Awake awake(1);
    Freeze freeze(group, awake);
    freeze.wait();
    std::this_thread::sleep_for(1ms);
    freeze.begin_watch();
    std::this_thread::sleep_for(200ms);
    still = freeze.stood_still();
  }
  kill(-child, SIGKILL);
  waitpid(child, nullptr, 0);
  return still;
}

TEST(Freeze, SeesThoseThatStandStill) {
  EXPECT_TRUE(stands_still(never));
  EXPECT_TRUE(stands_still(count));
}

TEST(Freeze, SeesThoseThatATimerWakes) {
  EXPECT_FALSE(stands_still(count_by_timer<false>));
  EXPECT_FALSE(stands_still(count_by_timer<true>));
}

}  // namespace
}  // namespace podium::judge
