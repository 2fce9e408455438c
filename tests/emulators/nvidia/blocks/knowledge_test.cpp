// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What two threads know together: the later epoch of each thread, also where it is asked for again.
#include "emulators/nvidia/device/knowledge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace podium::ptx {
namespace {

Known known(std::vector<Epochs> of_blocks) {
  Knowledge all;
  for (u32 block = 0; block < of_blocks.size(); ++block)
    all.blocks.push_back({block, SharedEpochs::make(std::move(of_blocks[block]))});
  return Known::make(std::move(all));
}

Epochs random_epochs(std::mt19937& random, std::size_t threads) {
  Epochs epochs(threads);
  std::ranges::generate(epochs, [&] { return static_cast<u32>(random() % 1000); });
  return epochs;
}

TEST(Knowledge, JoinedIsTheLaterOfEach) {
  std::mt19937 random(1);
  for (const std::size_t threads : {1u, 15u, 16u, 17u, 32u, 70u, 1024u}) {
    const Epochs a = random_epochs(random, threads), b = random_epochs(random, threads);
    const Known both = joined(known({a}), known({b}));
    for (u32 i = 0; i < threads; ++i)
      EXPECT_EQ(both->of_block(0)[i], std::max(a[i], b[i])) << "of " << threads;
  }
}

TEST(Knowledge, OneThreadMoreIsSeenWhereverItStands) {
  constexpr std::size_t threads = 40;
  for (std::size_t at = 0; at < threads; ++at) {
    const Epochs before(threads, 5);
    Epochs after = before;
    after[at] = 6;
    const Known earlier = known({before}), later = known({after});
    EXPECT_TRUE(joined(earlier, later) == later) << "thread " << at;
    EXPECT_TRUE(joined(later, earlier) == later) << "thread " << at;
  }
}

TEST(Knowledge, ManyPairsInTurnAreNotTakenForOneAnother) {
  std::mt19937 random(2);
  std::vector<Known> all;
  std::vector<Epochs> epochs;
  for (int i = 0; i < 12; ++i) {
    epochs.push_back(random_epochs(random, 20));
    all.push_back(known({epochs.back()}));
  }
  for (int round = 0; round < 2; ++round)
    for (std::size_t a = 0; a < all.size(); ++a)
      for (std::size_t b = 0; b < all.size(); ++b) {
        const Known both = joined(all[a], all[b]);
        for (u32 i = 0; i < 20; ++i)
          ASSERT_EQ(both->of_block(0)[i], std::max(epochs[a][i], epochs[b][i])) << a << " with " << b;
      }
}

}  // namespace
}  // namespace podium::ptx
