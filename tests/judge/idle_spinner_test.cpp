// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A processor that is kept awake for a worker: by whom, how long, and that nobody else waits for it.
#include "suite/judge/suspension.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>

#include "suite/base/stopped_group.hpp"
#include "tests/processor_time.hpp"

namespace podium::judge {
namespace {

using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

int some_processor() {
  cpu_set_t set;
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  for (int p = 0; p < CPU_SETSIZE; ++p)
    if (CPU_ISSET(p, &set)) return p;
  return -1;
}

// While a machine is busy such a thread has to wait, however long.
TEST(IdleSpinnerTest, KeepsAProcessorBusyUntilItIsLetGo) {
  IdleSpinner spinner(1);
  const auto before = processor_time();
  spinner.spin_on(some_processor());
  wait_until_used(getpid(), before + 50ms);
  EXPECT_GE(processor_time(), before + 50ms);
  spinner.stop_spinning();
  spinner.wait_until_off();
  const auto after = processor_time();
  std::this_thread::sleep_for(300ms);
  EXPECT_LT(processor_time(), after + 50ms);
}

TEST(IdleSpinnerTest, DoesNothingForNoProcessorOrOneThatIsNotThere) {
  IdleSpinner spinner(1);
  spinner.spin_on(-1);
  spinner.spin_on(CPU_SETSIZE - 1);
  spinner.spin_on(CPU_SETSIZE);
  std::this_thread::sleep_for(20ms);
  const auto before = processor_time();
  std::this_thread::sleep_for(200ms);
  EXPECT_LT(processor_time(), before + 50ms);
  spinner.stop_spinning();
}

TEST(IdleSpinnerTest, IsLeftWithoutAWord) {
  for (int turn = 0; turn < 100; ++turn) {
    IdleSpinner spinner(1);
    spinner.spin_on(turn % 2 ? some_processor() : -1);
    if (turn % 3 == 0) spinner.stop_spinning();
  }
}

TEST(IdleSpinnerTest, LetsGoInMicroseconds) {
  IdleSpinner spinner(1);
  auto shortest = clock::duration::max();
  for (int turn = 0; turn < 50; ++turn) {
    spinner.spin_on(some_processor());
    std::this_thread::sleep_for(1ms);
    const auto told = clock::now();
    spinner.stop_spinning();
    spinner.wait_until_off();
    shortest = std::min<clock::duration>(shortest, clock::now() - told);
  }
  EXPECT_LT(shortest, 500us);
}

TEST(IdleSpinnerTest, HasRoomWhereHalfOfTheProcessorsAreEnough) {
  cpu_set_t allowed, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  const int here = some_processor();
  CPU_ZERO(&one);
  CPU_SET(here, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  IdleSpinner spinner(16);
  EXPECT_FALSE(spinner.can_poll_beside(1, here)) << "the same";
  EXPECT_FALSE(spinner.can_poll_beside(1, -1));
  EXPECT_FALSE(spinner.can_poll_beside(1, 1 << 20)) << "of which the kernel says nothing";
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(here) + "/topology/thread_siblings_list");
  std::string siblings;
  std::getline(file, siblings);
  for (int other = 0; other < CPU_SETSIZE && siblings == std::to_string(here); ++other) {
    if (other == here || !CPU_ISSET(other, &allowed)) continue;
    EXPECT_TRUE(spinner.can_poll_beside(1, other));
    EXPECT_TRUE(spinner.can_poll_beside(6, other)) << "with the judge's two: 8";
    EXPECT_FALSE(spinner.can_poll_beside(7, other));
    EXPECT_FALSE(IdleSpinner(2).can_poll_beside(1, other));
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof allowed, &allowed), 0);
}

TEST(GroupTest, KnowsWhereAProcessStoodStill) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  for (int processor = 0; processor < CPU_SETSIZE; ++processor) {
    if (!CPU_ISSET(processor, &allowed)) continue;
    const pid_t child = fork();
    if (child == 0) {
      setpgid(0, 0);
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(processor, &one);
      if (sched_setaffinity(0, sizeof one, &one) != 0) _exit(1);
      for (volatile long counter = 0;;) counter = counter + 1;
    }
    setpgid(child, child);
    wait_until_used(child, 1ms);  // on that processor
    Group group(child);
    EXPECT_EQ(group.processor(), -1);  // before a stop
    group.tell_to_stop();
    ASSERT_TRUE(group.stopped(10s));
    EXPECT_EQ(group.processor(), processor);
    EXPECT_EQ(group.threads(), 1u);
    const auto runs = group.runs();  // nothing: this kernel does not count
    EXPECT_TRUE(!runs || *runs > 0);
    EXPECT_EQ(group.runs(), runs);
    const auto then = processor_time(child);
    kill(child, SIGCONT);
    wait_until_used(child, then + 1ms);
    EXPECT_TRUE(!runs || group.runs() > runs);
    EXPECT_TRUE(group.alone());
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
}

}  // namespace
}  // namespace podium::judge
