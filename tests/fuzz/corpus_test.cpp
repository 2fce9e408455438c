// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What fuzzing has found, again without a fuzzer: every file of the corpus is examined, in time.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/examine_contestant.hpp"
#include "tests/fuzz/examine_problem.hpp"
#include "tests/paths.hpp"
#include "tests/processor_time.hpp"

namespace podium::fuzz {
namespace {

namespace fs = std::filesystem;

#ifdef __SANITIZE_ADDRESS__
constexpr std::chrono::seconds most_time{10};
#else
constexpr std::chrono::seconds most_time{2};  // of one file, as the fuzzer has it
#endif

struct Counts {
  int accepted = 0, refused = 0;
};

Counts examine_all(const std::string& folder, bool (*examine)(const std::string&)) {
  Counts counts;
  for (const auto& entry :
       fs::directory_iterator(fs::path(test::binary_dir()) / "tests/fuzz/corpus" / folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string source{std::istreambuf_iterator<char>(in), {}};
    const auto began = processor_time();
    try {
      ++(examine(source) ? counts.accepted : counts.refused);
    } catch (const std::exception& error) {
      ADD_FAILURE() << entry.path() << ": " << error.what();
    }
    EXPECT_LT(processor_time() - began, most_time) << entry.path();
  }
  return counts;
}

TEST(Corpus, OfProblemsIsReadOrRefused) {
  const Counts counts = examine_all("problem", &examine_problem);
  EXPECT_GE(counts.accepted, 20);
  EXPECT_GE(counts.refused, 100);
}

TEST(Corpus, OfContestantsIsReadOrRefused) {
  const Counts counts = examine_all("contestant", &examine_contestant);
  EXPECT_GE(counts.accepted, 5);
  EXPECT_GE(counts.refused, 50);
}

}  // namespace
}  // namespace podium::fuzz
