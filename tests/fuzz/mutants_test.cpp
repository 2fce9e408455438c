// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A little fuzzing without a fuzzer, the same every time: problems that come with Podium, changed as YAML.
#include <gtest/gtest.h>

#include <chrono>

#include "suite/problem/parse/parse.hpp"
#include "tests/fuzz/examine_problem.hpp"
#include "tests/fuzz/mutator.hpp"
#include "tests/paths.hpp"
#include "tests/processor_time.hpp"

namespace podium::fuzz {
namespace {

#ifdef __SANITIZE_ADDRESS__
constexpr int mutants = 10;  // of each problem; ten times slower
#else
constexpr int mutants = 50;
#endif
constexpr std::chrono::seconds most_time{2};  // of one

TEST(Mutants, OfProblemsAreReadOrRefused) {
  const auto problems = problem::load_all(test::source_dir() + "/kernels");
  int accepted = 0, refused = 0;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    EXPECT_TRUE(examine_problem(problems[k].source)) << problems[k].name;
    for (unsigned seed = 0; seed < mutants; ++seed) {
      Mutator mutator(seed);
      const std::string& other = problems[(k + 1) % problems.size()].source;
      const std::string text =
          seed % 4 ? mutator.mutated(problems[k].source) : mutator.crossed(problems[k].source, other);
      const auto began = processor_time();
      try {
        ++(examine_problem(text) ? accepted : refused);
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what() << "\n" << text;
      }
      EXPECT_LT(processor_time() - began, most_time) << text;
    }
  }
  EXPECT_GT(accepted, refused / 20);  // most changes leave YAML, many a problem
  EXPECT_GT(refused, mutants);
}

}  // namespace
}  // namespace podium::fuzz
