// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the tests of reference forms share: a problem, filled, its outputs set by a plain loop and verified.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "tests/judge/program_double.hpp"

namespace podium::judge {

inline constexpr std::uint64_t forms_seed = 0x5eed;
inline constexpr std::uint8_t forms_poison = 0xff;

// A whole file: `body` is everything between title and workloads; `test` the one test workload's map.
inline std::string problem_of(const std::string& body, const std::string& test,
                              const std::string& others = "{ m: 1, n: 1 }") {
  return "podium: 1\ntitle: t\naxes: [m, n]\n" + body + "workloads: { test: [" + test + "], quick: [" +
         others + "], bench: [" + others + "] }\n";
}

// What verifying says of outputs as `expect` writes them: right, and wrong once `spoil` has changed one; on
// the CPU, and with the GPU's text emulated.
inline void agrees(const std::string& yaml, bool full, int groups, const std::function<void(Judged&)>& expect,
                   const std::function<void(Judged&)>& spoil = nullptr) {
  for (const bool emulated : {false, true}) {
    SCOPED_TRACE(std::string(full ? "full, " : "sampled, ") + std::to_string(groups) + " groups" +
                 (emulated ? ", emulated" : ""));
    Judged j(yaml, full, 0, 0, emulated);
    j.device.most_groups = groups;
    j.evaluator.fill(forms_seed);
    expect(j);
    const Finding right = j.evaluator.verify(forms_seed, forms_poison);
    EXPECT_TRUE(right.right) << right.text;
    if (!spoil) continue;
    spoil(j);
    EXPECT_FALSE(j.evaluator.verify(forms_seed, forms_poison).right);
  }
}

// The sentence with which verifying refuses a problem, or "no error".
inline std::string fault_of(const std::string& yaml, bool full = true) {
  Judged j(yaml, full);
  j.evaluator.fill(forms_seed);
  try {
    j.evaluator.verify(forms_seed, forms_poison);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::input);
    return error.what();
  }
  return "no error";
}

}  // namespace podium::judge
