// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 against the known answers that its authors publish (Random123, kat_vectors).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "suite/problem/program/philox.hpp"

namespace podium::program {
namespace {

using testing::ElementsAre;

TEST(Philox, KnownAnswers) {
  EXPECT_THAT(philox(0, 0, 0).word, ElementsAre(0x6627e8d5u, 0xe169c58du, 0xbc57ac4cu, 0x9b00dbd8u));
  EXPECT_THAT(philox(~0ull, ~0ull, ~0ull).word,
              ElementsAre(0x408f276du, 0x41c83b0eu, 0xa20bc7c6u, 0x6d5451fdu));
  EXPECT_THAT(philox(0x299f31d0a4093822, 0x85a308d3243f6a88, 0x0370734413198a2e).word,
              ElementsAre(0xd16cfe09u, 0x94fdccebu, 0x5001e420u, 0x24126ea1u));
}

TEST(Philox, SequenceIsTheSameNumbers) {
  const u64 key = 0x0123456789abcdef, high = stream_of(Stream::fill, 3);
  for (const u64 first : {u64(0), u64(7), (u64(1) << 32) - 5, ~u64(0) - 3}) {
    std::vector<u32> words(4 * 2 * philox_width);
    philox_sequence(key, first, high, 2 * philox_width, words.data());
    for (int b = 0; b < 2 * philox_width; ++b) {
      const Block4 one = philox(key, first + u64(b), high);
      for (int w = 0; w < 4; ++w) EXPECT_EQ(words[4 * b + w], one.word[w]) << b;
    }
  }
}

TEST(Philox, StreamsNeverMeet) {
  EXPECT_NE(stream_of(Stream::fill, 0), stream_of(Stream::sample, 0));
  EXPECT_NE(stream_of(Stream::fill, 0), stream_of(Stream::fill, 1));
  EXPECT_NE(stream_of(Stream::hash, ~0u), stream_of(Stream::sample, ~0u));
}

}  // namespace
}  // namespace podium::program
