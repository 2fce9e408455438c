// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What tests that judge a sample by default are to judge: everything if `scripts/test --all` says so.
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <string_view>

namespace podium::test {

constexpr std::size_t turn_days = 4;  // DAYS of tests/turns.py

inline bool whole() { return std::getenv("PODIUM_TEST_WHOLE") != nullptr; }

// Of so many parts, which a sample takes in turn, today's: after as many days each was taken. They turn
// differently for each problem. `every`: the test's turn comes after as many days. PODIUM_TEST_DAY is another
// day's number.
inline std::size_t part_of_today(std::size_t parts, std::string_view problem, std::size_t every = 1) {
  const char* named = std::getenv("PODIUM_TEST_DAY");
  const auto today = std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
  const auto day = static_cast<std::size_t>(named ? std::atoll(named) : today.time_since_epoch().count());
  const auto turn = std::accumulate(problem.begin(), problem.end(), day / every);
  return parts == 0 ? 0 : turn % parts;
}

}  // namespace podium::test
