// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A worker that is to stand still, told so or asleep: whether it did is seen, also if it stands still again
// by then.
#include "suite/judge/suspension.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "tests/judge/scripted_worker.hpp"

namespace podium::judge {
namespace {

using namespace std::chrono_literals;

// Of the newest child: it has come to its work.
std::atomic<bool>& begun() {
  static auto* const shared = new (mmap(nullptr, sizeof(std::atomic<bool>), PROT_READ | PROT_WRITE,
                                        MAP_SHARED | MAP_ANONYMOUS, -1, 0)) std::atomic<bool>(false);
  return *shared;
}

// A child in a group of its own that does `work`, and has come to it however busy the machine is.
pid_t start(void (*work)()) {
  begun() = false;
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    work();
  }
  setpgid(child, child);
  while (!begun()) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(30ms);  // and sleeps, if it is to sleep
  return child;
}

void never() {
  begun() = true;
  for (;;) pause();
}

void count() {
  begun() = true;
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

// Wakes by itself now and then, for the blink of an eye.
template <int milliseconds>
void nap() {
  begun() = true;
  for (const timespec rest{0, milliseconds * 1'000'000};;) nanosleep(&rest, nullptr);
}

// A child that does `work`, of which the kernel says to its parent at once that it was told to go on: also
// while there is no processor for it.
class Told {
 public:
  explicit Told(void (*work)()) : pid_(start(work)) {}
  ~Told() {
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Told(const Told&) = delete;
  Told& operator=(const Told&) = delete;
  pid_t pid() const { return pid_; }
  // To go on, since this was asked last.
  bool told() const { return waitpid(pid_, nullptr, WCONTINUED | WNOHANG) == pid_; }

 private:
  pid_t pid_;
};

struct Stood {
  bool still = false, told = false;
};

// A process that does `work`, looked at for 200 ms, which begin `before` after it stood still.
Stood stood(void (*work)(), std::optional<std::chrono::microseconds> patience = {},
            std::chrono::milliseconds before = 1ms) {
  const Told child(work);
  Group group(child.pid());
  Stood result;
  {
    IdleSpinner spinner(1);
    Suspension suspension(group, spinner, patience);
    suspension.wait();
    std::this_thread::sleep_for(before);
    suspension.begin_watch();
    std::this_thread::sleep_for(200ms);
    result = {suspension.stood_still(), suspension.signalled()};
  }
  return result;
}

TEST(Suspension, SeesThoseThatStandStill) {
  EXPECT_TRUE(stood(never).still);
  EXPECT_TRUE(stood(count).still);
  EXPECT_TRUE(stood(nap<60>).still);
}

// Of many times: on a busy machine a child may not be run while it is looked at. A stop may take the signal
// of its timer away before the child has had it, and the timer with it; or that signal takes the stop away.
bool at_last(const std::function<bool()>& happens) {
  for (int time = 0; time < 50; ++time) {
    try {
      if (happens()) return true;
    } catch (const Error&) {
    }
  }
  return false;
}

TEST(Suspension, SeesThoseThatATimerWakes) {
  EXPECT_TRUE(at_last([] { return !stood(count_by_timer<false>).still; }));
  EXPECT_TRUE(at_last([] { return !stood(count_by_timer<true>).still; }));
}

// It has begun to run before the watch, and does not begin again.
TEST(Suspension, SeesThoseThatHaveRunSinceTheyStopped) {
  EXPECT_TRUE(at_last([] { return !stood(count_by_timer<false>, {}, 100ms).still; }));
}

bool runs_are_counted() {
  Group self(getpid());
  self.asleep(0us);  // it does not, but was looked at
  return self.runs().has_value();
}

TEST(Suspension, LeavesThoseAloneThatSleep) {
  if (!runs_are_counted()) GTEST_SKIP() << "this kernel does not count how often a thread is run";
  const Stood asleep = stood(never, 10ms);
  EXPECT_TRUE(asleep.still);
  EXPECT_FALSE(asleep.told);
  const Stood awake = stood(count, 10ms);
  EXPECT_TRUE(awake.still);
  EXPECT_TRUE(awake.told);
}

TEST(Suspension, SeesThoseThatRunInTheirSleep) {
  if (!runs_are_counted()) GTEST_SKIP() << "this kernel does not count how often a thread is run";
  EXPECT_TRUE(at_last([] {
    const Stood woken = stood(nap<60>, 10ms);
    return !woken.still && !woken.told;
  }));
  // Before the watch it harms nobody, and they are told to stop.
  EXPECT_TRUE(at_last([] {
    const Stood told = stood(nap<60>, 10ms, 100ms);
    return told.still && told.told;
  }));
}

// Nothing is spun on, and threads are to stand still while it writes and flushes, which takes its time.
class SlowDevice : public DoubleDevice {
 public:
  void flush_caches() override { std::this_thread::sleep_for(30ms); }
};

template <void (*work)()>
class BesideProcess : public Told, public WithScriptedWorker<SlowDevice> {
 protected:
  BesideProcess() : Told(work), WithScriptedWorker(1, pid()) {}
  void SetUp() override {
    if (!runs_are_counted()) GTEST_SKIP() << "this kernel does not count how often a thread is run";
  }
  // A sample; whether the process was told to stop before it.
  bool told_in_sample() {
    ++samples_;
    try {
      const auto sampled = bench_->sample({.inputs = samples_, .placement = samples_}, 0xA5, false);
      EXPECT_EQ(sampled.verdict, protocol::Verdict::right);
    } catch (const WorkerFailure&) {
      std::atomic_ref(worker_->page().gate) = worker_->armed.back().ticket;  // where the worker waits
      throw;
    }
    return told();
  }

 private:
  std::uint64_t samples_ = 0;
};

using BesideASleeper = BesideProcess<never>;
using BesideANapper = BesideProcess<nap<1>>;
using BesideARunner = BesideProcess<count>;

TEST_F(BesideASleeper, NobodyIsToldToStop) {
  told_in_sample();                       // before the first it is not known
  ASSERT_TRUE(Group(pid()).asleep(10s));  // again
  for (int sample = 0; sample < 5; ++sample) EXPECT_FALSE(told_in_sample()) << sample;
}

TEST_F(BesideARunner, ItIsToldToStop) {
  for (int sample = 0; sample < 5; ++sample) EXPECT_TRUE(told_in_sample()) << sample;
}

// Once it is seen to run in its sleep, as before the first gate; nobody is accused of one time.
TEST_F(BesideANapper, ItIsToldToStopFromThenOn) {
  int left_alone = 0;
  for (int sample = 0; sample < 10; ++sample) left_alone += !told_in_sample();
  EXPECT_EQ(left_alone, 0);
}

// What a worker leaves for others to write when it says that a call is finished.
struct Errand {
  std::atomic<int> descriptor{-1};  // of the arena, in the test's process
  std::atomic<std::int64_t> offset{0};
  std::atomic<float> value{0};
  std::atomic<bool> told{false}, heard{false}, done{false};
  std::atomic<clock::rep> done_at{0};
};

Errand& errand() {
  static Errand* const shared =
      new (mmap(nullptr, sizeof(Errand), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Errand;
  return *shared;
}

constexpr auto after_word = 30ms;

// Runs it after the worker's word: `sleeps` until then, or is at work.
template <bool sleeps>
void run_errand() {
  Errand& mine = errand();
  begun() = true;
  while (!mine.told) std::this_thread::sleep_for(1ms);
  const Descriptor arena(
      open(("/proc/" + std::to_string(getppid()) + "/fd/" + std::to_string(mine.descriptor.load())).c_str(),
           O_RDWR | O_CLOEXEC));
  const auto begin = clock::now();
  mine.heard = true;
  if (sleeps) std::this_thread::sleep_for(after_word);
  while (clock::now() < begin + after_word) {
  }
  const float value = mine.value;
  if (pwrite(arena.get(), &value, sizeof value, mine.offset) != sizeof value) _exit(1);
  mine.done_at = clock::now().time_since_epoch().count();
  mine.done = true;
  never();
}

// Outputs are so many that what is written late is there before it is copied.
class LargeDevice : public DoubleDevice {
 public:
  bool waits = false;
  void copy(void* to, const void* from, std::size_t bytes) override {
    for (const auto end = clock::now() + 10 * after_word; waits && !errand().done && clock::now() < end;)
      std::this_thread::sleep_for(1ms);
    DoubleDevice::copy(to, from, bytes);
  }
};

struct NewErrand {
  NewErrand() { new (&errand()) Errand; }
};

template <void (*work)()>
class BesideHelper : public NewErrand, public Told, public WithScriptedWorker<LargeDevice> {
 protected:
  BesideHelper() : Told(work), WithScriptedWorker(1, pid()) {}

  // Whether what the helper did either came too late or is within the judge's interval.
  void expect_nothing_gained() {
    clock::time_point said;
    worker_->after = [&](const protocol::Arm& arm) {
      float& last = worker_->y(arm, 0)[elements - 1];
      errand().value = std::exchange(last, 0.0f);
      errand().offset = reinterpret_cast<std::byte*>(&last) - arena_.data();
      errand().descriptor = arena_.handle().descriptor;
      errand().told = true;
      while (!errand().heard) std::this_thread::yield();
      std::this_thread::sleep_for(2ms);
      said = clock::now();
      device_.waits = true;
    };
    const auto sampled = bench_->sample({.inputs = 1, .placement = 2}, 0xA5, false);
    if (sampled.verdict != protocol::Verdict::right) return;
    const clock::time_point done{clock::duration(errand().done_at)};
    EXPECT_GE(sampled.judge_microseconds, microseconds(done - said));
  }
};

using BesideAWorkingHelper = BesideHelper<run_errand<false>>;
using BesideASleepingHelper = BesideHelper<run_errand<true>>;

TEST_F(BesideAWorkingHelper, WhatItDoesAfterTheWordGainsNothing) { expect_nothing_gained(); }
TEST_F(BesideASleepingHelper, WhatItDoesAfterTheWordGainsNothing) { expect_nothing_gained(); }

}  // namespace
}  // namespace podium::judge
