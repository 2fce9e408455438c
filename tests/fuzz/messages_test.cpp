// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Recorded conversations, changed the same way every time: the judge hears its workers and podium, podium
// hears its judge. PODIUM_MESSAGES=1000000 changes as many messages, in place of some thousands.
#include <gtest/gtest.h>
#include <malloc.h>

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/allocations.hpp"
#include "tests/fuzz/examine_judge.hpp"
#include "tests/fuzz/examine_podium.hpp"
#include "tests/fuzz/message_mutator.hpp"
#include "tests/paths.hpp"
#include "tests/processor_time.hpp"

namespace podium::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds most_time{5};               // of one conversation
constexpr std::int64_t most_kept = std::int64_t{4} << 20;  // bytes that a million of them may leave behind
// That one of them may take for a while: less than a tenth of the first is needed, and nothing of the second.
constexpr std::int64_t most_allocated_more = std::int64_t{4} << 20,
                       most_resident_more = std::int64_t{8} << 20;

std::int64_t messages() {
  const char* wanted = std::getenv("PODIUM_MESSAGES");
#ifdef __SANITIZE_ADDRESS__
  return wanted ? std::atoll(wanted) : 1'000;
#else
  return wanted ? std::atoll(wanted) : 6'000;
#endif
}

std::vector<Conversation> recordings() {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::directory_iterator(fs::path(test::binary_dir()) / "tests/fuzz/corpus/conversation"))
    files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Conversation> all;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    all.push_back(conversation_in(std::string{std::istreambuf_iterator<char>(in), {}}));
  }
  return all;
}

std::int64_t largest_resident() {  // bytes
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} << 10;
}

int by(const Conversation& conversation, Side side) {
  return static_cast<int>(std::ranges::count(conversation, side, &Said::by));
}

// Changes a third of `messages()`, at most as many in one conversation as it has messages of that side.
template <class Examine>
std::int64_t change(const std::vector<Conversation>& originals, Side side, Examine examine) {
  std::int64_t edits = 0, kept = 0, most = 0;
  [[maybe_unused]] std::int64_t resident = 0;
  std::chrono::nanoseconds longest{0};
  for (unsigned seed = 0; edits < messages() / 3; ++seed) {
    MessageMutator mutator(seed);
    Conversation conversation = originals[seed % originals.size()];
    edits += mutator.mutate(conversation, side, 1 + static_cast<int>(mutator.below(16)));
    const std::int64_t before = allocated();
    forget_most();
    const auto began = processor_time();
    try {
      examine(conversation);
    } catch (const std::exception& error) {
      ADD_FAILURE() << "seed " << seed << ": " << error.what();
      if (testing::Test::HasFailure()) break;
    }
    most = std::max(most, most_allocated() - before);
    EXPECT_LT(most, most_allocated_more) << "seed " << seed << " took much memory for a while";
    if (testing::Test::HasFailure()) break;
    longest = std::max(longest, processor_time() - began);
    if (seed == 200) {
      kept = static_cast<std::int64_t>(mallinfo2().uordblks);
      resident = largest_resident();
    }
  }
  EXPECT_LT(longest, most_time);
  EXPECT_GT(most, 0) << "nothing was counted";
  std::printf("  at most %lld KiB for a while, %lld KiB held for the process's whole time\n",
              static_cast<long long>(most >> 10), static_cast<long long>(largest_resident() >> 10));
#ifndef __SANITIZE_ADDRESS__  // what was freed stays resident there
  if (resident > 0) {
    EXPECT_LT(largest_resident() - resident, most_resident_more)
        << "memory that was mapped, or held for a while";
  }
#endif
  if (kept > 0) {
    EXPECT_LT(static_cast<std::int64_t>(mallinfo2().uordblks) - kept, most_kept) << "memory grows";
  }
  return edits;
}

// What is said without a change is understood: the changes below are what is refused.
TEST(Messages, RecordedOnesAreUnderstood) {
  const auto all = recordings();
  ASSERT_GE(all.size(), 4u);
  int right = 0;
  for (const auto& conversation : all) {
    const Heard heard = examine_judge(conversation);
    EXPECT_EQ(heard.answers, by(conversation, Side::judge));
    EXPECT_EQ(heard.refused, 0) << heard.refusal;
    right += heard.right;
    const auto played = for_podium(conversation);
    const Asked asked = examine_podium(played);
    EXPECT_EQ(asked.well, by(played, Side::podium));
    EXPECT_EQ(asked.faults, 0);
    EXPECT_FALSE(asked.lost);
    EXPECT_EQ(recorded(conversation_in(recorded(conversation))), recorded(conversation));
  }
  EXPECT_GE(right, 30);
}

// The judge writes to the page that it shares with a worker, and takes nothing from it: whatever is there
// while it works and waits, all that is right stays so.
TEST(Messages, ThePageMayHoldAnything) {
  int scribbled = 0, right = 0;
  for (const auto& conversation : recordings()) {
    const Heard heard = examine_judge(conversation, true, true);
    EXPECT_EQ(heard.answers, by(conversation, Side::judge));
    EXPECT_EQ(heard.refused, 0) << heard.refusal;
    right += heard.right;
    scribbled += heard.scribbled;
  }
  EXPECT_GE(right, 30);
  EXPECT_GT(scribbled, 1000) << "nothing was written to it";
  const auto originals = recordings();
  for (unsigned seed = 0; seed < 200; ++seed) {  // and beside what workers say
    MessageMutator mutator(seed);
    Conversation conversation = originals[seed % originals.size()];
    mutator.mutate(conversation, Side::worker, 1 + static_cast<int>(mutator.below(4)));
    EXPECT_NO_THROW(examine_judge(conversation, true, true)) << "seed " << seed;
  }
}

TEST(Messages, OfWorkersNeverEndTheJudge) {
  int refused = 0, right = 0;
  const auto edits = change(recordings(), Side::worker, [&](const Conversation& conversation) {
    const Heard heard = examine_judge(conversation);
    refused += heard.refused;
    right += heard.right;
  });
  EXPECT_GT(refused, edits / 20);
  EXPECT_GT(right, edits / 20);
}

TEST(Messages, OfPodiumAreAnsweredOrEndTheJudge) {
  int refused = 0, right = 0;
  const auto edits = change(recordings(), Side::podium, [&](const Conversation& conversation) {
    const Heard heard = examine_judge(conversation, false);
    refused += heard.refused;
    right += heard.right;
  });
  EXPECT_GT(refused, edits / 50);
  EXPECT_GT(right, edits / 50);
}

TEST(Messages, OfTheJudgeArePodiumsFailuresOrErrors) {
  std::vector<Conversation> originals;
  for (const auto& conversation : recordings()) originals.push_back(for_podium(conversation));
  int lost = 0, well = 0, failures = 0, faults = 0;
  const auto edits = change(originals, Side::judge, [&](const Conversation& conversation) {
    const Asked asked = examine_podium(conversation);
    lost += asked.lost;
    well += asked.well;
    failures += asked.failures;
    faults += asked.faults;
  });
  EXPECT_GT(lost, edits / 50);
  EXPECT_GT(well, edits / 4);
  EXPECT_GT(failures, 0);
  EXPECT_GT(faults, 0);
}

}  // namespace
}  // namespace podium::fuzz
