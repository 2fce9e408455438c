// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A group told to stop: whatever its threads do, nothing moves until it goes on.
#include "suite/base/stopped_group.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

namespace podium {
namespace {

using namespace std::chrono_literals;

// A process that counts in shared memory, the leader of a group of its own.
class Counting {
 public:
  using Work = std::function<void(std::atomic<long>&)>;
  explicit Counting(const Work& work) {
    void* at =
        mmap(nullptr, sizeof(std::atomic<long>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    count_ = new (at) std::atomic<long>(0);
    pid_ = fork();
    if (pid_ == 0) {
      setpgid(0, 0);
      work(*count_);
      _exit(0);
    }
    setpgid(pid_, pid_);
  }
  ~Counting() {
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    munmap(count_, sizeof *count_);
  }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;
  pid_t pid() const { return pid_; }
  long count() const { return *count_; }
  void wait_for(long count) const {
    while (*count_ < count) std::this_thread::sleep_for(100us);
  }

 private:
  std::atomic<long>* count_ = nullptr;
  pid_t pid_ = -1;
};

void count_for_ever(std::atomic<long>& count) {
  for (;;) ++count;
}

void count_in_four_threads(std::atomic<long>& count) {
  for (int i = 0; i < 3; ++i) std::thread([&] { count_for_ever(count); }).detach();
  count_for_ever(count);
}

// As many threads at any time, never the same ones.
void count_in_ever_new_threads(std::atomic<long>& count) {
  for (;;) std::thread([&] { ++count; }).join();
}

void expect_to_stand_still(const Counting::Work& work) {
  const Counting counting(work);
  Group group(counting.pid());
  for (int turn = 0; turn < 50; ++turn) {
    counting.wait_for(counting.count() + 1);
    group.tell_to_stop();
    ASSERT_TRUE(group.stopped(5s));
    const long then = counting.count();
    std::this_thread::sleep_for(1ms);
    ASSERT_EQ(counting.count(), then) << "turn " << turn;
    group.go_on();
  }
}

TEST(StoppedGroup, NothingMovesOfOneThread) { expect_to_stand_still(count_for_ever); }
TEST(StoppedGroup, NothingMovesOfFourThreads) { expect_to_stand_still(count_in_four_threads); }
TEST(StoppedGroup, NothingMovesOfEverNewThreads) { expect_to_stand_still(count_in_ever_new_threads); }

// A child of a child that has ended.
void count_in_an_orphan(std::atomic<long>& count) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  int alone[2];  // ends once there is no child between the two
  if (pipe(alone) != 0) _exit(1);
  const pid_t child = fork();
  if (child == 0) {
    if (fork() == 0) {
      close(alone[1]);
      char nothing;
      if (read(alone[0], &nothing, 1) != 0) _exit(1);
      count_for_ever(count);
    }
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  close(alone[1]);
  for (;;) pause();
}
// Another process each time.
void count_in_ever_new_processes(std::atomic<long>& count) {
  for (;;) {
    const pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < 1000; ++i) ++count;
      _exit(0);
    }
    waitpid(child, nullptr, 0);
  }
}
TEST(StoppedGroup, NothingMovesOfAnOrphan) { expect_to_stand_still(count_in_an_orphan); }
TEST(StoppedGroup, NothingMovesOfEverNewProcesses) { expect_to_stand_still(count_in_ever_new_processes); }

// More than are kept open: the last to begin is the one that counts.
TEST(StoppedGroup, NothingMovesOfAThousandThreads) {
  expect_to_stand_still([](std::atomic<long>& count) {
    for (int i = 0; i < 1000; ++i) std::thread([] { pause(); }).detach();
    std::thread([&] { count_for_ever(count); }).join();
  });
}

TEST(StoppedGroup, WhatIsNotToldDoesNotStop) {
  const Counting counting(count_for_ever);
  counting.wait_for(1);
  Group group(counting.pid());
  EXPECT_FALSE(group.stopped(50ms));
}

// Without a processor, as on a busy machine: no signal stops it before its child has ended.
void wait_for_a_child(std::atomic<long>& count) {
  const pid_t child = vfork();
  if (child == 0) {
    setpgid(0, 0);
    ++count;
    const timespec longer_than_patience{1, 500'000'000};
    nanosleep(&longer_than_patience, nullptr);
    _exit(0);
  }
  count_for_ever(count);
}
TEST(StoppedGroup, PatienceIsItsProcessorTime) {
  const Counting waiting(wait_for_a_child);
  waiting.wait_for(1);
  Group group(waiting.pid());
  group.tell_to_stop();
  EXPECT_TRUE(group.stopped(1s));
}

TEST(StoppedGroup, WhatHasEndedStandsStill) {
  const Counting ended([](std::atomic<long>&) {});
  siginfo_t info{};
  waitid(P_PID, static_cast<id_t>(ended.pid()), &info, WEXITED | WNOWAIT);  // a zombie from here on
  Group group(ended.pid());
  group.tell_to_stop();
  EXPECT_TRUE(group.stopped(5s));
}

TEST(StoppedGroup, WhatIsGoneStandsStill) {
  pid_t pid = -1;
  {
    const Counting counting([](std::atomic<long>&) {});
    pid = counting.pid();
  }
  Group group(pid);
  EXPECT_TRUE(group.stopped(5s));
  EXPECT_EQ(group.processor_time(), 0ns);
}

TEST(StoppedGroup, ProcessorTimePassesOnlyWhileItRuns) {
  const Counting counting(count_for_ever);
  counting.wait_for(1000);
  Group group(counting.pid());
  // The kernel counts the last of it once the thread has left its processor, a little after it has stopped.
  const auto used_when_stopped = [&] {
    group.tell_to_stop();
    EXPECT_TRUE(group.stopped(5s));
    std::this_thread::sleep_for(20ms);
    return group.processor_time();
  };
  const auto then = used_when_stopped();
  EXPECT_GT(then, 0ns);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(group.processor_time(), then);
  group.go_on();
  counting.wait_for(counting.count() + 1000000);
  EXPECT_GT(used_when_stopped(), then);
}

// As by a timer of its own, with the signal to go on.
TEST(StoppedGroup, AnOrphanThatWakesIsSeen) {
  const Counting counting(count_in_an_orphan);
  counting.wait_for(1000);
  Group group(counting.pid());
  group.tell_to_stop();
  ASSERT_TRUE(group.stopped(5s));
  const auto then = group.processor_time();
  const long count = counting.count();
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", counting.pid()));
  pid_t orphan = -1;
  ASSERT_TRUE(children >> orphan);
  kill(orphan, SIGCONT);
  counting.wait_for(count + 1000);
  EXPECT_FALSE(group.at_rest());
  kill(orphan, SIGSTOP);
  while (!group.at_rest()) std::this_thread::yield();
  std::this_thread::sleep_for(20ms);
  EXPECT_GT(group.processor_time(), then);
}

}  // namespace
}  // namespace podium
