// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The tutorial of docs/problem.md, word for word: its files, its commands, and what they are said to print.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/docs/follow.hpp"

namespace podium::docs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Block> blocks_under(const Document& document, const std::string& section) {
  std::vector<Block> blocks;
  for (const Block& block : document.blocks)
    if (block.section == section) blocks.push_back(block);
  return blocks;
}

TEST(Tutorial, IsFollowedWordForWord) {
  const Document document = read_document("docs/problem.md");
  const auto blocks = blocks_under(document, "A first problem");
  EXPECT_GE(blocks.size(), 12u) << "found too few blocks under the heading";
  Checkout checkout;
  EXPECT_THAT(checkout.follow(document, blocks), IsEmpty());
}

// ---- that a tutorial that is not so is seen

std::vector<std::string> follow(const std::vector<Block>& blocks) {
  return Checkout().follow({"d.md", {}, {}}, blocks);
}

TEST(WrongTutorial, IsSeen) {
  EXPECT_THAT(follow({{"sh", "", "echo a; echo 12 ms\n", "", 1}, {"text", "", "a\n12 ms\n", "", 4}}),
              IsEmpty());
  EXPECT_THAT(follow({{"sh", "", "false\n", "", 1}}), ElementsAre(HasSubstr("d.md:1: exit status 1")));
  EXPECT_THAT(follow({{"sh", "fails", "true\n", "", 1}}), ElementsAre(HasSubstr("d.md:1: exit status 0")));
  EXPECT_THAT(follow({{"sh", "", "echo a b\n", "", 1}, {"text", "", "a c\n", "", 4}}),
              ElementsAre(HasSubstr("d.md:4: was not printed: a c")));
  EXPECT_THAT(follow({{"yaml", "", "# kernels/p/problem.yaml\npodium: 1\n", "", 1},
                      {"sh", "", "cat kernels/p/problem.yaml\n", "", 5},
                      {"text", "", "podium: 1\n", "", 8}}),
              IsEmpty());
}

TEST(WrongTutorial, LinesAreInOrderAndWhole) {
  EXPECT_EQ(line_missing("a\nb\n", "b\na\n", false), "a");
  EXPECT_EQ(line_missing("a  b\n", "a b\n", false), "");
  EXPECT_EQ(line_missing("abc\n", "ab\n", false), "ab");
  EXPECT_EQ(line_missing("abc\n", "a…\n", false), "");
  EXPECT_EQ(line_missing("abcbd\n", "a…b…d\n", false), "");
  EXPECT_EQ(line_missing("abc\n", "a…d\n", false), "a…d");
  EXPECT_EQ(line_missing("12 µs 3\n", "7.5 ms 4\n", true), "");
  EXPECT_EQ(line_missing("12 µs 3\n", "7.5 ms 4\n", false), "7.5 ms 4");
  EXPECT_EQ(line_missing("a 1 ms about 62.23 s, not tried\n", "a 2 ms 914.5 ms 769.6 MiB\n", true), "");
  EXPECT_EQ(line_missing("a 1 ms about 62.23 s, not tried\n", "a 2 ms 914.5 ms\n", true), "a 2 ms 914.5 ms");
  EXPECT_EQ(line_missing("right 3\n", "wrong 3\n", true), "wrong 3");
  EXPECT_EQ(line_missing("2 a\n1 b\n", "1 b\n2 a\n", true), "");
}

}  // namespace
}  // namespace podium::docs
