// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/pressure.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

namespace podium {
namespace {

TEST(Pressure, IsTheFirstTotal) {
  EXPECT_EQ(waited_in("some avg10=98.50 avg60=97.05 avg300=91.06 total=42795229945\n"
                      "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"),
            42795229945.0);
  for (const char* none : {"", "some", "some avg10=1.00", "full avg10=0.00 total=7", "some total=x"})
    EXPECT_EQ(waited_in(none), 0) << none;
}

// More threads than processors for 0.2 s: most of it somebody waits.
TEST(Pressure, GrowsWhileProcessorsAreShort) {
  if (!std::filesystem::exists("/proc/pressure/cpu")) GTEST_SKIP() << "this kernel keeps no account of it";
  const double before = waited_for_processors();
  std::atomic<bool> done = false;
  {
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i)
      threads.emplace_back([&] {
        while (!done) {
        }
      });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    done = true;
  }
  EXPECT_GE(waited_for_processors() - before, 100'000);
}

// Two processes that share a processor.
TEST(Pressure, SaysWhoWaited) {
  const auto busy_here = [] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    const pid_t child = fork();
    if (child == 0) {
      sched_setaffinity(0, sizeof one, &one);
      for (volatile long counter = 0;;) counter = counter + 1;
    }
    return child;
  };
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(sched_getcpu(), &here);
  ASSERT_EQ(sched_setaffinity(0, sizeof here, &here), 0);
  const pid_t first = busy_here(), second = busy_here();
  ASSERT_EQ(sched_setaffinity(0, sizeof allowed, &allowed), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const double waited = waited_by(first) + waited_by(second);
  for (const pid_t child : {first, second}) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  if (!std::filesystem::exists("/proc/self/schedstat")) GTEST_SKIP() << "this kernel keeps no account of it";
  EXPECT_GE(waited, 100'000);
  EXPECT_EQ(waited_by(-1), 0) << "there is no such process";
}

}  // namespace
}  // namespace podium
