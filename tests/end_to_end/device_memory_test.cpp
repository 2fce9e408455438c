// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Contestants that leave the judge nothing of the device's memory: with a judge whose device is simulated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>

#include "tests/end_to_end/copy_problem.hpp"
#include "tests/end_to_end/simulated.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr, testing::Not;

constexpr const char* head = "// podium: { title: \"A loop\" }\n#include <podium/";
constexpr const char* loop = R"c(.hpp>
namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.n; ++i) args.y.data[i] = args.x.data[i];
  }
};
}  // namespace
)c";

// The judge places the order, which nobody else sees, on the device anew for each workload.
constexpr const char* ordered = R"y(podium: 1
title: Copy of some
axes: [n]
structure:
  kept: { dtype: i32, shape: [n], private: true, compute: "for (i : n) out(i) = 1;" }
tensors:
  x: { role: input, dtype: f32, shape: [n], fill: normal }
  y: { role: output, dtype: f32, shape: [n], tolerance: { ulp: 0 } }
reference:
  y: { index: [i], value: "kept(i) * x(i)" }
workloads: { test: [{ n: 10 }, { n: 20 }], quick: [{ n: 1000 }] }
baseline: { host: plain }
)y";

class Hoarder : public testing::Test {
 protected:
  void TearDown() override { unsetenv("PODIUM_SIMULATED_HOARDER"); }

  // With nothing left once the clock has been measured so often; exit status and what it said.
  std::pair<int, std::string> run(const std::string& name, const std::string& problem, int measurements) {
    simulated_.write("kernels/" + name + "/problem.yaml", problem);
    simulated_.write("kernels/" + name + "/plain.cpp", head + name + loop);
    setenv("PODIUM_SIMULATED_HOARDER", std::to_string(measurements).c_str(), 1);
    return simulated_.podium("run " + name + " --quick --rounds 2 --device host:0");
  }

  std::vector<record::Entry> entries() const {
    const auto runs = simulated_.runs();
    return runs.empty() ? std::vector<record::Entry>{} : runs.front().entries;
  }

  Simulated simulated_;
};

TEST_F(Hoarder, GetsTheRowAndTheProblemIsNotBlamed) {
  const auto [status, text] = run("ordered", ordered, 1);  // from the first sample that is verified
  EXPECT_EQ(status, 1) << text;
  const auto all = entries();
  ASSERT_EQ(all.size(), 2u) << text;
  EXPECT_EQ(all[0].verdict.word(), "right");
  EXPECT_EQ(all[1].verdict.word(), "out of memory");
  EXPECT_EQ(all[1].workload, "n=20");
  EXPECT_THAT(all[1].text, HasSubstr("the contestant leaves the judge too little memory: of the simulated"));
}

// Nor can it keep the judge from looking at several calls at a time: their room was made before.
TEST_F(Hoarder, IsLookedAtAllTheSame) {
  constexpr int before = 52;  // what runs before anything is timed: throttle_test.cpp
  const auto [status, text] = run("copy", copy_problem(10000) + "baseline: { host: plain }\n", before + 1);
  EXPECT_EQ(status, 0) << text;
  const auto all = entries();
  EXPECT_TRUE(std::ranges::all_of(all, [](const auto& entry) { return entry.verdict.word() == "right"; }))
      << text;
  EXPECT_TRUE(std::ranges::any_of(all, [](const auto& entry) { return entry.together.calls > 1; })) << text;
}

// The simulated device's memory is what workers hold of the host's: a contestant with 200 MiB, of which 160
// may be held, beside one with a loop. `neighbour`: from which look on somebody else holds much more.
class Holder : public testing::Test {
 protected:
  void TearDown() override { unsetenv("PODIUM_SIMULATED_NEIGHBOUR"); }

  std::pair<int, std::string> run(const char* where, int neighbour) {
    simulated_.write("kernels/copy/problem.yaml", copy_problem(10000) + "baseline: { host: plain }\n");
    simulated_.write("kernels/copy/plain.cpp", std::string(head) + "copy" + loop);
    std::string heavy = std::string(head) + "copy" + loop;
    const auto body = heavy.find(where);
    heavy.insert(
        body + std::string(where).size(),
        "static char held[200 << 20];\nstatic const bool touched = (__builtin_memset(held, 1, sizeof held), "
        "true);\n(void)touched;\n");
    simulated_.write("kernels/copy/heavy.cpp", heavy);
    setenv("PODIUM_SIMULATED_NEIGHBOUR", std::to_string(neighbour).c_str(), 1);
    return simulated_.podium("run copy --quick --rounds 2 --device host:0 --device-memory 160");
  }
  std::string verdicts_of(const std::string& contestant) const {
    std::string all;
    const auto runs = simulated_.runs();
    for (const auto& entry : runs.at(0).entries)
      if (entry.contestant == contestant) all += std::string(entry.verdict.word()) + ": " + entry.text + "\n";
    return all;
  }

  static constexpr const char* in_calls = "podium::Stream) {\n";
  Simulated simulated_;
};

TEST_F(Holder, OfMoreThanItMayIsOutOfMemory) {
  const auto [status, text] = run(in_calls, -1);
  EXPECT_EQ(status, 1) << text;
  EXPECT_THAT(verdicts_of("heavy"), HasSubstr("out of memory: held 2"));
  EXPECT_THAT(verdicts_of("heavy"), HasSubstr(" MiB of the device's memory, more than 160 MiB"));
  EXPECT_THAT(verdicts_of("plain"), Not(HasSubstr("out of memory"))) << text;
}

// Three others hold 140 MiB as long as they have an instance, and give them back: that makes no room for the
// fourth.
TEST_F(Holder, GetsNoRoomFromThoseWhoGaveBackTheirs) {
  std::string lender = std::string(head) + "copy" + loop;
  const std::string struct_of = "struct Contestant {\n";
  lender.insert(lender.find(struct_of) + struct_of.size(),
                "char* held = new char[140 << 20];\nContestant() { __builtin_memset(held, 1, 140 << 20); "
                "asm volatile(\"\" :: \"r\"(held) : \"memory\"); }\n~Contestant() { delete[] held; }\n");
  for (const char* name : {"lends", "lends_too", "a_lender"})
    simulated_.write(std::string("kernels/copy/") + name + ".cpp", lender);
  const auto [status, text] = run(in_calls, -1);
  EXPECT_EQ(status, 1) << text;
  EXPECT_THAT(verdicts_of("heavy"), HasSubstr("out of memory: held 2")) << text;
  for (const char* name : {"lends", "lends_too", "a_lender"})
    EXPECT_THAT(verdicts_of(name), Not(HasSubstr("out of memory"))) << text;
}

TEST_F(Holder, OfWhatSomebodyElseTookIsNotAccused) {
  const auto [status, text] = run(in_calls, 3);
  EXPECT_THAT(verdicts_of("plain"), Not(HasSubstr("out of memory"))) << text;
  EXPECT_THAT(verdicts_of("plain"), HasSubstr("right")) << text;
  EXPECT_THAT(verdicts_of("heavy"), HasSubstr("out of memory: held 2")) << "by what came back" << text;
}

}  // namespace
}  // namespace podium::test
