// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Loops of `compute` whose turns run on several threads: the numbers are those of one thread, and those of
// plain loops over sequences of random numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>

#include "suite/problem/compute/compute.hpp"
#include "suite/problem/compute/random.hpp"
#include "suite/problem/compute/tree.hpp"
#include "suite/problem/model/instance.hpp"
#include "suite/problem/program/philox.hpp"

namespace podium::problem {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::int64_t n = 5000;  // several times turns_a_sequence, and no multiple
constexpr std::uint64_t seed = 11;
constexpr std::uint32_t stream = 3;

struct Trial {
  std::string text;
  std::int64_t elements = n;
  std::int64_t most_steps = most_compute_steps;

  // offsets = 0, 3, 6, …, 3 n
  std::vector<std::int64_t> run(int threads) const {
    ComputeNames names;
    names.numbers = {{"n", false}};
    names.structure = {{"offsets", {1, false}}};
    names.out = {1, false};
    StructureInstance offsets, out;
    offsets.name = "offsets", offsets.extents = {n + 1}, offsets.elements = n + 1;
    auto words = std::make_shared<std::vector<std::uint64_t>>();
    for (std::uint64_t k = 0; k <= n; ++k) words->push_back(3 * k);
    offsets.words = words;
    out.name = "it", out.dtype = Dtype::i64, out.extents = {elements}, out.elements = elements;
    ComputeInputs inputs;
    inputs.numbers = {{"n", static_cast<double>(n)}};
    inputs.structure = {{"offsets", &offsets}};
    inputs.seed = seed, inputs.stream = stream, inputs.threads = threads, inputs.most_steps = most_steps;
    std::vector<std::uint64_t> found;
    Compute({text, {"p.yaml", 1}}, names).run(inputs, out, found);
    return {found.begin(), found.end()};
  }
  std::vector<std::int64_t> same_on_any() const {
    const auto one = run(1);
    for (const int threads : {2, 3, 16}) EXPECT_EQ(run(threads), one) << text;
    return one;
  }
  std::string error(int threads) const {
    try {
      run(threads);
    } catch (const ComputeError& error) {
      return error.at().file + ":" + std::to_string(error.at().line) + ": " + error.what();
    }
    return "accepted";
  }
};

// Draws of turns [0, n) from the sequences `first`, `first` + 1, …
std::vector<std::int64_t> drawn(std::int64_t first, std::int64_t below) {
  ComputeRandom random(seed, stream);
  std::vector<std::int64_t> all;
  for (std::int64_t i = 0; i < n; ++i) {
    if (i % turns_a_sequence == 0) random.sequence(first + i / turns_a_sequence);
    all.push_back(random.below(below));
  }
  return all;
}
constexpr std::int64_t sequences = (n + turns_a_sequence - 1) / turns_a_sequence;

// Word k of sequence s is half of the block of counter 2^40 s + k / 2.
TEST(ComputeRandom, SequencesAreCountedApart) {
  ComputeRandom random(seed, stream);
  for (const std::uint64_t sequence : {0, 5, 3, 0}) {
    if (sequence > 0) random.sequence(static_cast<std::int64_t>(sequence));
    if (sequence == 0) random = ComputeRandom(seed, stream);
    for (std::uint64_t k = 0; k < 45; ++k) {
      const program::Block4 block = program::philox(seed, (sequence << 40) + k / 2,
                                                    program::stream_of(program::Stream::structure, stream));
      const std::uint64_t low = block.word[2 * (k % 2)], high = block.word[2 * (k % 2) + 1];
      ASSERT_EQ(random.word(), low | high << 32) << sequence << " " << k;
    }
  }
}

TEST(ComputeThreads, TurnsDrawFromSequencesOfTheirOwn) {
  EXPECT_EQ(Trial{"for (i : n) out(i) = random.below(1000000);"}.same_on_any(), drawn(1, 1000000));
  EXPECT_EQ(
      (Trial{"for (i : [-2, n - 2]) { auto x = random.below(1000000); out(2 + i) = x; }"}.same_on_any()),
      drawn(1, 1000000));
}

TEST(ComputeThreads, LoopsDoNotShareSequences) {
  const auto first = drawn(1, 1000000), second = drawn(1 + sequences, 1000000);
  EXPECT_NE(first, second);
  std::vector<std::int64_t> both = first;
  both.insert(both.end(), second.begin(), second.end());
  EXPECT_EQ((Trial{"for (i : n) out(i) = random.below(1000000); "
                   "for (i : [5000, 10000]) out(i) = random.below(1000000);",
                   2 * n}
                 .same_on_any()),
            both);
}

// What stands around such a loop goes on in sequence 0 as if the loop had drawn nothing.
TEST(ComputeThreads, TheRestDrawsFromTheFirst) {
  const auto found =
      Trial{
          "auto a = random.below(1000000); for (i : n) out(i) = a + i + random.below(1); "
          "out(0) = random.below(1000000);"}
          .same_on_any();
  ComputeRandom random(seed, stream);
  const std::int64_t a = random.below(1000000);
  for (std::int64_t i = 1; i < n; ++i) ASSERT_EQ(found[static_cast<std::size_t>(i)], a + i);
  EXPECT_EQ(found[0], random.below(1000000));
}

// Each of these would change if its turns did not follow one another in one sequence.
TEST(ComputeThreads, TurnsThatNeedEachOtherStayInOrder) {
  ComputeRandom random(seed, stream);
  std::vector<std::int64_t> sums;
  for (std::int64_t i = 0, sum = 0; i < n; ++i) sums.push_back(sum += random.below(10));
  EXPECT_EQ((Trial{"auto sum = 0; for (i : n) { sum += random.below(10); out(i) = sum; }"}.same_on_any()),
            sums);
  EXPECT_EQ((Trial{"for (i : n) out(i) = random.below(10) + (i > 0 ? out(i - 1) : 0);"}.same_on_any()), sums);

  for (const std::string text :
       {"for (i : n) { out(i) = random.below(9); if (i == 4000) break; }",
        "for (i : n) out(n - 1 - i) = random.below(9);", "for (i : n) out(i % 7) = random.below(9) + i;",
        "for (i : n) { out(i) = random.below(9); if (i + 1 < n) out(i + 1) = 5; }",
        "for (i : n) { out(0) = i; }", "{ for (i : n) out(i) = random.below(9); }"}) {
    const auto found = Trial{text}.same_on_any();
    EXPECT_THAT(found, testing::Contains(testing::Gt(0))) << text;
  }
  EXPECT_EQ((Trial{"for (i : n) { out(0) = i; }"}.same_on_any()[0]), n - 1);
  const auto left = Trial{"for (i : n) { out(i) = 1; if (i == 1500) break; }"}.same_on_any();
  EXPECT_EQ(left[1500], 1);
  EXPECT_EQ(left[1501], 0);
}

TEST(ComputeThreads, InnerLoopsMayEndEarly) {
  const auto found =
      Trial{"for (i : n) { auto x = 0; for (k : 10) { if (k > i % 10) break; x += k; } out(i) = x; }"}
          .same_on_any();
  for (std::int64_t i = 0; i < n; ++i)
    ASSERT_EQ(found[static_cast<std::size_t>(i)], (i % 10) * (i % 10 + 1) / 2);
}

TEST(ComputeThreads, RowsOfAscendingNumbers) {
  const auto found =
      Trial{"for (i : n) random.ascending(out, offsets(i), offsets(i + 1) - offsets(i), 0, 30);", 3 * n}
          .same_on_any();
  ComputeRandom random(seed, stream);
  for (std::int64_t i = 0; i < n; ++i) {
    if (i % turns_a_sequence == 0) random.sequence(1 + i / turns_a_sequence);
    for (std::int64_t k = 0; k < 3; ++k)
      ASSERT_EQ(found[static_cast<std::size_t>(3 * i + k)], 10 * k + random.below(10));
  }
}

// A loop whose first turns take far longer than the others: on several threads they end last.
std::string slow_at_first(const std::string& statement) {
  return "for (i : n) {\n  auto x = 0;\n  for (k : i < 1024 ? 300 : 0) x += k;\n  " + statement + "\n}";
}

// Every turn writes the same elements: the last one's stay.
TEST(ComputeThreads, ElementsThatTwoTurnsWrite) {
  const auto found = Trial{slow_at_first("random.ascending(out, 0, 2, 2 * i, 2 * i + 2);")}.same_on_any();
  EXPECT_EQ(found[0], 2 * (n - 1));
  EXPECT_EQ(found[1], 2 * (n - 1) + 1);
}

TEST(ComputeThreads, TheFirstMistakeInOrder) {
  const Trial wrong{slow_at_first("if (i >= 1000) out(i) = i + 0.5;")};
  EXPECT_EQ(wrong.error(1), "p.yaml:4: found 1000.5, expected a whole number; floor() or ceil() make one");
  const Trial outside{"for (i : n) out(i + 10) = i;"};
  for (const int threads : {1, 2, 16}) {
    EXPECT_EQ(wrong.error(threads), wrong.error(1));
    EXPECT_THAT(outside.error(threads), StartsWith("p.yaml:1: found out(5000)"));
  }
}

TEST(ComputeThreads, StepsOfAllThreadsCount) {
  // The text, the loop, then a turn and its statement each.
  constexpr std::int64_t needed = 2 + 2 * n;
  for (const int threads : {1, 2, 16}) {
    EXPECT_EQ((Trial{"for (i : n) out(i) = i;", n, needed}.error(threads)), "accepted");
    EXPECT_THAT((Trial{"for (i : n) out(i) = i;", n, needed - 1}.error(threads)), HasSubstr("steps"));
    EXPECT_THAT((Trial{"for (i : [-9007199254740991, 9007199254740991]) ;", n, needed}.error(threads)),
                HasSubstr("steps"));
  }
}

}  // namespace
}  // namespace podium::problem
