// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What only the CPU's backend has: threads that sleep, a sealed arena, libraries by descriptor.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "backends/host/clock.hpp"
#include "backends/host/machine.hpp"
#include "backends/host/mapping.hpp"
#include "backends/host/pool.hpp"
#include "backends/host/program.hpp"
#include "suite/base/error.hpp"
#include "tests/processor_time.hpp"

namespace podium::host {
namespace {

TEST(Pool, CallsEachGroupOnce) {
  for (const int threads : {1, 2, 5}) {
    Pool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int turn = 0; turn < 200; ++turn) {
      const int groups = turn % 17;
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(groups));
      pool.run(groups, [&](int g) { ++calls[static_cast<std::size_t>(g)]; });
      for (const auto& count : calls) ASSERT_EQ(count, 1);
    }
  }
}

TEST(Pool, SleepsBetweenCalls) {
  Pool pool(4);
  pool.run(8, [](int) {});
  const auto before = processor_time();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_LT(processor_time() - before, std::chrono::milliseconds(20)) << "in 200 ms of waiting";
}

TEST(Arena, CannotBeCutShortOrGrown) {
  const SharedArena arena(1);
  const int file = arena.handle().descriptor;
  EXPECT_EQ(ftruncate(file, 4096), -1);
  EXPECT_EQ(ftruncate(file, 8 << 20), -1);
  EXPECT_EQ(fcntl(file, F_ADD_SEALS, F_SEAL_WRITE), -1);
}

TEST(Arena, OfTheJudgeIsNotItsPrivateMemory) {
  const SharedArena arena(1);
  const PrivateMemory memory(1 << 20);
  const Mapping other(arena.bytes(), arena.handle().descriptor);
  other.data()[5] = std::byte{7};
  EXPECT_EQ(arena.data()[5], std::byte{7});
  EXPECT_EQ(memory.data()[5], std::byte{0});
}

// Two libraries behind one descriptor number, one after the other and both at once.
TEST(Program, IsNeverAnotherOne) {
  const auto copy_of_program = [](const char* from) {
    Descriptor file(memfd_create("program", MFD_CLOEXEC));
    std::ifstream in(from, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    const std::string bytes = text.str();
    EXPECT_EQ(write(file.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    return file;
  };
  const auto loads = [] {
    std::ifstream maps("/proc/self/maps");
    int count = 0;
    for (std::string line; std::getline(maps, line);)
      count += line.find("memfd:program") != std::string::npos && line.find("r-x") != std::string::npos;
    return count;
  };
  Pool pool(1);
  {
    Descriptor file = copy_of_program(PODIUM_TEST_PROGRAM);
    const SharedObject first(file.get(), pool);
    file = copy_of_program(PODIUM_TEST_PROGRAM);  // very likely the same number
    const SharedObject second(file.get(), pool);
    EXPECT_EQ(loads(), 2);
  }
  EXPECT_EQ(loads(), 0);
}

TEST(Machine, KnowsItself) {
  EXPECT_GE(threads(), 1);
  EXPECT_LE(threads(), static_cast<int>(std::thread::hardware_concurrency()));
  EXPECT_GT(available(), 0);
  EXPECT_LE(available(), memory());
  EXPECT_FALSE(product().empty());
  EXPECT_NE(kernel().find("Linux"), std::string::npos);
}

// Additions that each wait for the one before: as many as there were cycles, however long that took.
TEST(Clock, CountsCyclesAndTime) {
  const auto begin = std::chrono::steady_clock::now();
  const ClockCount count = count_clock();
  const std::chrono::nanoseconds all = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(count.cycles, 8192u);
  EXPECT_GT(count.nanoseconds, 1000u) << "8 GHz";
  EXPECT_LE(3 * static_cast<std::int64_t>(count.nanoseconds), all.count()) << "the fastest of three";
}

}  // namespace
}  // namespace podium::host
