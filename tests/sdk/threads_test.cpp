// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Teams of threads: everything is done once, by whichever member.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <podium/threads.hpp>

#include <sys/resource.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace {
using podium::Threads, testing::Each, testing::ThrowsMessage;

class Teams : public testing::TestWithParam<int> {};

TEST_P(Teams, EachMemberIsCalledOnceInEveryOfManyCalls) {
  Threads threads(GetParam());
  ASSERT_EQ(threads.count(), GetParam());
  std::vector<int> calls(std::size_t(threads.count()));
  for (int call = 0; call < 1000; ++call)
    threads.each_member([&](int member) { ++calls[std::size_t(member)]; });
  EXPECT_THAT(calls, Each(1000));
}

TEST_P(Teams, TasksAndSharesCoverAllOnce) {
  Threads threads(GetParam());
  for (const std::size_t n : {0, 1, 7, 64, 1001}) {
    std::vector<std::atomic<int>> tasks(n), shares(n);
    threads.each(std::int64_t(n), [&](std::int64_t task) { ++tasks[std::size_t(task)]; });
    std::atomic<int> uneven{0};
    threads.split(std::int64_t(n), 16, [&](std::int64_t begin, std::int64_t end) {
      if (begin % 16 != 0) ++uneven;
      for (; begin < end; ++begin) ++shares[std::size_t(begin)];
    });
    for (const auto& task : tasks) EXPECT_EQ(task, 1);
    for (const auto& share : shares) EXPECT_EQ(share, 1);
    EXPECT_EQ(uneven, 0);
  }
}

TEST_P(Teams, WhatABodyThrowsReachesTheCallerAndTheTeamGoesOn) {
  Threads threads(GetParam());
  const int last = threads.count() - 1;
  const auto throwing = [&] {
    threads.each_member([&](int member) {
      if (member == last) throw std::runtime_error("member " + std::to_string(member));
    });
  };
  EXPECT_THAT(throwing, ThrowsMessage<std::runtime_error>("member " + std::to_string(last)));
  std::atomic<int> calls{0};
  threads.each_member([&](int) { ++calls; });
  EXPECT_EQ(calls, threads.count());
}

INSTANTIATE_TEST_SUITE_P(OfSizes, Teams, testing::Values(1, 2, 3, 8));

TEST(Team, AsLargeAsTheMachineUnlessStated) { EXPECT_EQ(Threads().count(), Threads::available()); }

// In a process of its own: the limit stays. Address space is what a thread's stack needs, also of root.
TEST(TeamDeathTest, MoreThreadsThanThereCanBeIsAnError) {
  const auto end = [] {
    const rlimit little{std::size_t{1} << 30, std::size_t{1} << 30};
    setrlimit(RLIMIT_AS, &little);
    try {
      Threads threads(100'000);
    } catch (const podium::Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      std::_Exit(3);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(3), "the system has no more threads");
}

}  // namespace
