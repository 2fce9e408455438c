// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <stdexcept>
#include <vector>

namespace podium {
namespace {

TEST(InParallel, EveryPieceOnce) {
  for (const int threads : {-1, 0, 1, 2, 7})
    for (const std::int64_t pieces : {0, 1, 2, 1000}) {
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(pieces));
      in_parallel(pieces, threads, [&](std::int64_t k) { ++times[static_cast<std::size_t>(k)]; });
      for (const auto& count : times) EXPECT_EQ(count, 1);
    }
}

TEST(InParallel, OnThatManyThreadsAtOnce) {
  std::barrier all(3);  // would wait for ever with fewer
  in_parallel(3, 3, [&](std::int64_t) { all.arrive_and_wait(); });
}

TEST(InParallel, ThrowsWhatAPieceThrowsAndBeginsNoOther) {
  for (const int threads : {1, 4}) {
    std::atomic<int> begun = 0;
    EXPECT_THROW(in_parallel(1'000'000, threads,
                             [&](std::int64_t) {
                               ++begun;
                               throw std::runtime_error("a piece");
                             }),
                 std::runtime_error);
    EXPECT_LE(begun, threads);
  }
}

TEST(Processors, AtLeastOne) { EXPECT_GE(processors(), 1); }

}  // namespace
}  // namespace podium
