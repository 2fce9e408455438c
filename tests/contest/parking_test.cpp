// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Parked workers: they stand still, go on where they were, and are ended oldest first.
#include "suite/contest/parking.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "tests/processor_time.hpp"

namespace podium::contest {
namespace {

using namespace sandbox;

using namespace std::chrono_literals;

off_t said(const WorkerProcess& worker) { return lseek(worker.output.get(), 0, SEEK_END); }

WorkerProcess shell(int number, const std::string& key, const std::string& script) {
  WorkerProcess worker{.number = number, .key = key, .plugin = {}, .child = {}, .output = {}};
  worker.output.reset(memfd_create("output", MFD_CLOEXEC));
  worker.child = Child({.program = "/bin/sh",
                        .arguments = {"-c", "echo here; " + script},
                        .descriptors = {},
                        .output = worker.output.get(),
                        .sandbox = Sandbox{}});
  // A worker has answered before it can be parked.
  while (said(worker) == 0 && !worker.child.ended(0)) std::this_thread::sleep_for(1ms);
  return worker;
}

constexpr const char* sleeps =
    "exec sleep 100";  // no child: a shell that waits for one to begin cannot be stopped
constexpr const char* busy = "while :; do :; done";
constexpr const char* counts = "i=0; while :; do i=$((i + 1)); echo $i; done";

// Not one that has ended and that nobody has reaped: who comes to inherit it may take its time.
bool alive(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line, '\0');
  const auto name_end = line.rfind(')');
  return name_end != std::string::npos && line[name_end + 2] != 'Z' && line[name_end + 2] != 'X';
}

TEST(Parking, AWorkerStandsStillAndGoesOn) {
  Parking parking;
  WorkerProcess worker = shell(3, "a", counts);
  const int output = worker.output.get();
  ASSERT_TRUE(parking.park(std::move(worker)));
  EXPECT_EQ(parking.size(), 1u);
  EXPECT_TRUE(parking.has(3));
  EXPECT_EQ(parking.number_of("a"), 3);
  EXPECT_GT(parking.bytes(), 0);
  const off_t then = lseek(output, 0, SEEK_END);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(lseek(output, 0, SEEK_END), then);
  auto taken = parking.take("a").worker;
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->number, 3);
  EXPECT_EQ(parking.size(), 0u);
  for (int wait = 0; wait < 1000 && said(*taken) == then; ++wait) std::this_thread::sleep_for(1ms);
  EXPECT_GT(said(*taken), then) << "it did not go on";
}

TEST(Parking, NobodyElsesKeyTakesIt) {
  Parking parking;
  ASSERT_TRUE(parking.park(shell(0, "a", sleeps)));
  EXPECT_FALSE(parking.take("b").worker);
  EXPECT_FALSE(parking.number_of("b"));
  EXPECT_EQ(parking.size(), 1u);
}

TEST(Parking, TheOneParkedLongestIsEndedFirst) {
  Parking parking;
  ASSERT_TRUE(parking.park(shell(0, "a", sleeps)));
  ASSERT_TRUE(parking.park(shell(1, "b", sleeps)));
  auto again = parking.take("a").worker;
  ASSERT_TRUE(again);
  ASSERT_TRUE(parking.park(std::move(*again)));  // a has been used since b
  EXPECT_EQ(parking.end_oldest(), 1);
  EXPECT_FALSE(parking.has(1));
  EXPECT_EQ(parking.end_oldest(), 0);
  EXPECT_EQ(parking.size(), 0u);
}

TEST(Parking, WhatDiesWhileParkedIsNotThere) {
  for (const bool holds : {false, granted().has(Means::hold)}) {
    Parking parking(holds);
    WorkerProcess worker = shell(0, "a", sleeps);
    const pid_t pid = worker.child.pid();
    ASSERT_TRUE(parking.park(std::move(worker)));
    kill(pid, SIGKILL);
    for (int wait = 0; wait < 10'000 && alive(pid); ++wait) std::this_thread::sleep_for(1ms);
    const auto taken = parking.take("a");
    EXPECT_FALSE(taken.worker);
    EXPECT_FALSE(taken.ran);
    EXPECT_EQ(parking.size(), 0u);
    EXPECT_FALSE(alive(pid));
  }
}

TEST(Parking, MemoryIsThatOfEachAlone) {
  Parking parking;
  ASSERT_TRUE(parking.park(shell(0, "a", sleeps)));
  const auto one = parking.bytes();
  EXPECT_EQ(parking.newest_bytes(), one);
  // A shell that holds 32 MiB of text.
  WorkerProcess large =
      shell(1, "b", "x=$(head -c 33554432 /dev/zero | tr '\\0' x); echo; while :; do :; done");
  while (said(large) < 6) std::this_thread::sleep_for(1ms);
  ASSERT_TRUE(parking.park(std::move(large)));
  EXPECT_GT(parking.newest_bytes(), 32 << 20);
  EXPECT_EQ(parking.bytes(), one + parking.newest_bytes());
  EXPECT_EQ(parking.end_newest(), 1);
  EXPECT_EQ(parking.bytes(), one);
}

// Where nothing holds it: it ran while others were measured.
TEST(Parking, WhatRanWhileParkedIsEnded) {
  Parking parking(false);
  WorkerProcess worker = shell(0, "a", busy);
  const pid_t pid = worker.child.pid();
  ASSERT_TRUE(parking.park(std::move(worker)));
  const auto then = processor_time(pid);
  kill(-pid, SIGCONT);
  wait_until_used(pid, then + 50ms);
  const auto taken = parking.take("a");
  EXPECT_FALSE(taken.worker);
  EXPECT_TRUE(taken.ran);
  EXPECT_FALSE(alive(pid));
}

// A few microseconds are enough to write into what others use.
TEST(Parking, AMomentAwakeIsSeen) {
  Parking parking(false);
  WorkerProcess worker = shell(0, "a", sleeps);
  const pid_t pid = worker.child.pid();
  ASSERT_TRUE(parking.park(std::move(worker)));
  const auto then = processor_time(pid);
  kill(pid, SIGCONT);
  wait_until_used(pid, then + 1ns);
  kill(pid, SIGSTOP);
  std::this_thread::sleep_for(20ms);
  EXPECT_TRUE(parking.take("a").ran);
}

class Held : public testing::Test {
 protected:
  void SetUp() override {
    const Grant& grant = grants()[static_cast<std::size_t>(Means::hold)];
    if (!grant.held) GTEST_SKIP() << grant.detail;
  }
};

TEST_F(Held, NoSignalWakesIt) {
  Parking parking(true);
  WorkerProcess worker = shell(0, "a", counts);
  const int output = worker.output.get();
  const pid_t pid = worker.child.pid();
  ASSERT_TRUE(parking.park(std::move(worker)));
  const off_t then = lseek(output, 0, SEEK_END);
  for (int i = 0; i < 20; ++i) {
    kill(-pid, SIGCONT);
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_EQ(lseek(output, 0, SEEK_END), then);
  const auto taken = parking.take("a").worker;  // and nobody is blamed for it
  ASSERT_TRUE(taken);
  for (int wait = 0; wait < 1000 && said(*taken) == then; ++wait) std::this_thread::sleep_for(1ms);
  EXPECT_GT(said(*taken), then) << "it did not go on";
}

TEST_F(Held, NorItsDescendants) {
  Parking parking(true);
  WorkerProcess worker = shell(0, "a", std::string("(") + counts + ") & exec sleep 100");
  const int output = worker.output.get();
  const pid_t pid = worker.child.pid();
  while (said(worker) < 20) std::this_thread::sleep_for(1ms);
  ASSERT_TRUE(parking.park(std::move(worker)));
  const off_t then = lseek(output, 0, SEEK_END);
  kill(-pid, SIGCONT);
  std::this_thread::sleep_for(20ms);
  EXPECT_EQ(lseek(output, 0, SEEK_END), then);
  EXPECT_EQ(parking.end_oldest(), 0);
  EXPECT_EQ(kill(-pid, 0), -1) << "one of its group lives on";
}

// Signals that came meanwhile are not lost.
TEST_F(Held, WhatItWasToldMeanwhileItHearsThen) {
  Parking parking(true);
  WorkerProcess worker = shell(0, "a", "trap 'echo told' USR1; echo waits; while :; do :; done");
  const int output = worker.output.get();
  const pid_t pid = worker.child.pid();
  while (said(worker) < 11) std::this_thread::sleep_for(1ms);  // "here", "waits"
  ASSERT_TRUE(parking.park(std::move(worker)));
  kill(pid, SIGUSR1);
  const off_t then = lseek(output, 0, SEEK_END);
  const auto taken = parking.take("a").worker;
  ASSERT_TRUE(taken);
  for (int wait = 0; wait < 1000 && said(*taken) == then; ++wait) std::this_thread::sleep_for(1ms);
  EXPECT_GT(said(*taken), then);
}

// kill -9 of podium.
TEST_F(Held, NothingOutlivesWhoHoldsIt) {
  int report[2];
  ASSERT_EQ(pipe(report), 0);
  const pid_t podium = fork();
  if (podium == 0) {
    Parking parking(true);
    WorkerProcess worker = shell(0, "a", sleeps);
    const pid_t pid = worker.child.pid();
    const bool parked = parking.park(std::move(worker));
    _exit(!parked || write(report[1], &pid, sizeof pid) != sizeof pid || pause());
  }
  pid_t pid = -1;
  ASSERT_EQ(read(report[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
  EXPECT_TRUE(alive(pid));
  kill(podium, SIGKILL);
  waitpid(podium, nullptr, 0);
  for (int wait = 0; wait < 1000 && alive(pid); ++wait) {
    waitpid(pid, nullptr, WNOHANG);  // it may have come to this process
    std::this_thread::sleep_for(1ms);
  }
  EXPECT_FALSE(alive(pid));
}

TEST(Parking, NothingOfItIsLeftBehind) {
  pid_t pid = -1;
  {
    Parking parking;
    WorkerProcess worker = shell(0, "a", busy);
    pid = worker.child.pid();
    ASSERT_TRUE(parking.park(std::move(worker)));
    EXPECT_TRUE(alive(pid));
  }
  EXPECT_FALSE(alive(pid));
}

}  // namespace
}  // namespace podium::contest
