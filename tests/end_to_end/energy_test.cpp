// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium run --energy` on a device that uses 100 W whatever it does: energy is that times the time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "suite/record/metrics.hpp"
#include "tests/end_to_end/copy_problem.hpp"
#include "tests/end_to_end/simulated.hpp"

namespace podium::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr double watts = 100;

const std::string copy = copy_problem(10000) + "baseline: { host: plain }\n";

constexpr const char* twice = R"y(podium: 1
title: Twice, in place
axes: [n]
tensors:
  x: { role: inout, dtype: f32, shape: [n], fill: normal, tolerance: { ulp: 0 } }
reference:
  x: { index: [i], value: "2 * x.initial(i)" }
workloads: { test: [{ n: 10 }], quick: [{ n: 10000 }] }
baseline: { host: plain }
)y";

// `before`: what a call does first. `again`: whether these tensors were those of the two calls before;
// of one they may have been by chance.
std::string contestant(const std::string& problem, const std::string& before, const std::string& body) {
  return "// podium: { title: \"A loop\" }\n#include <podium/" + problem + R"(.hpp>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>
namespace {
using namespace std::chrono_literals;
struct Contestant {
  const void* seen = nullptr;
  int times = 0;
  void run(const problem::Arguments& args, podium::Stream) {
    times = seen == args.x.data ? times + 1 : 0;
    [[maybe_unused]] const bool again = times >= 2;
    seen = args.x.data;
    )" + before +
         "\n    for (std::int64_t i = 0; i < args.n; ++i) " + body + R"(
  }
};
}  // namespace
)";
}

class WithEnergy : public testing::Test {
 protected:
  void SetUp() override {
    simulated_.write("kernels/copy/problem.yaml", copy);
    // A millisecond a call, of two threads.
    add("plain", "std::jthread other([] { std::this_thread::sleep_for(1ms); });");
    setenv("PODIUM_SIMULATED_WATTS", std::to_string(watts).c_str(), 1);
  }
  void TearDown() override { unsetenv("PODIUM_SIMULATED_WATTS"); }

  void add(const std::string& name, const std::string& before) const {
    simulated_.write("kernels/copy/" + name + ".cpp",
                     contestant("copy", before, "args.y.data[i] = args.x.data[i];"));
  }
  int run(const std::string& problem, const std::string& options = "--energy") {
    const auto [status, text] = simulated_.podium(
        "run " + problem + " --quick --rounds 2 --device host:0 --verbose --cold-only " + options);
    table_ = text;
    const auto runs = simulated_.runs();
    for (const record::Run& run : runs)
      for (const record::Entry& entry : run.entries)
        if (&run == &runs.back() && entry.round >= 0) entries_.push_back(entry);
    return status;
  }
  // Of the entries that were to have it.
  std::vector<record::Measurement> energies(const std::string& contestant) const {
    std::vector<record::Measurement> found;
    for (const auto& entry : entries_)
      if (entry.contestant == contestant && !entry.measured[record::energy].empty())
        found.push_back(entry.measured[record::energy]);
    return found;
  }
  std::string verdict(const std::string& contestant) const {
    for (const auto& entry : entries_)
      if (entry.contestant == contestant && entry.verdict.word() != "right")
        return std::string(entry.verdict.word());
    return "right";
  }

  Simulated simulated_;
  std::string table_;
  std::vector<record::Entry> entries_;
};

TEST_F(WithEnergy, IsOfOneCall) {
  add("slow", "std::this_thread::sleep_for(300ms);");
  ASSERT_EQ(run("copy"), 0) << table_;
  for (const auto& [name, least, fewest, most] :
       {std::tuple{"plain", 1000.0, 100, 1200}, std::tuple{"slow", 300'000.0, 3, 4}}) {
    const auto found = energies(name);
    ASSERT_EQ(found.size(), 1u) << name << ": in the first round, and not of the baseline's twin";
    const auto number = [&](const char* key) { return found[0].numbers.at(key).get<double>(); };
    EXPECT_NEAR(number("watts"), watts, 0.05 * watts) << name;
    EXPECT_GE(number("microseconds"), least) << name;
    EXPECT_LT(number("microseconds"), fewest * least) << name << ": of one call, not of all";
    EXPECT_DOUBLE_EQ(number("energy_uj"), number("watts") * number("microseconds")) << name;
    EXPECT_GE(number("calls"), fewest) << name;
    EXPECT_LE(number("calls"), most) << name;
  }
  EXPECT_THAT(table_, AllOf(HasSubstr("energy"), HasSubstr(" mJ"), HasSubstr("idle power included")));
}

TEST_F(WithEnergy, IsNotMeasuredUnlessAskedFor) {
  ASSERT_EQ(run("copy", ""), 0) << table_;
  EXPECT_TRUE(energies("plain").empty());
  EXPECT_THAT(table_, Not(HasSubstr("energy")));
}

// What repeated calls do wrong costs the row, as anywhere else.
TEST_F(WithEnergy, RepeatedCallsAreHeldToTheSame) {
  add("forgets", "if (again) { args.y.data[0] = 0; return; }");
  add("hangs", "while (again) std::this_thread::sleep_for(1s);");
  add("throws", "if (again) throw std::runtime_error(\"not twice\");");
  EXPECT_EQ(run("copy", "--energy --timeout 2"), 1) << table_;
  EXPECT_EQ(verdict("forgets"), "wrong") << table_;
  EXPECT_EQ(verdict("hangs"), "hung") << table_;
  EXPECT_EQ(verdict("throws"), "threw") << table_;
  EXPECT_EQ(verdict("plain"), "right") << table_;
}

// One that takes much longer when it is called again is not called to the end.
TEST_F(WithEnergy, LastsNoLongerThanItMay) {
  add("tires", "if (again) std::this_thread::sleep_for(50ms);");
  EXPECT_EQ(run("copy"), 0) << table_;
  const auto found = energies("tires");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LE(found[0].numbers.at("calls").get<int>(), 60);
  EXPECT_NEAR(found[0].numbers.at("microseconds").get<double>(), 50'000, 5'000);
}

TEST_F(WithEnergy, OfCallsThatChangeTheirInputsThereIsNone) {
  simulated_.write("kernels/twice/problem.yaml", twice);
  simulated_.write("kernels/twice/plain.cpp", contestant("twice", "", "args.x.data[i] *= 2;"));
  ASSERT_EQ(run("twice"), 0) << table_;
  ASSERT_EQ(energies("plain").size(), 1u);
  EXPECT_EQ(energies("plain")[0].numbers.size(), 0u);
  EXPECT_THAT(energies("plain")[0].text, HasSubstr("x is changed in place"));
  EXPECT_THAT(table_, HasSubstr("no energy: x is changed in place"));
}

TEST_F(WithEnergy, OfADeviceThatTellsNoneThereIsNone) {
  setenv("PODIUM_SIMULATED_WATTS", "none", 1);
  ASSERT_EQ(run("copy"), 0) << table_;
  EXPECT_THAT(table_, HasSubstr("no energy: the device reports no energy (a simulation)"));
  setenv("PODIUM_SIMULATED_WATTS", "0", 1);  // a counter that stands still
  entries_.clear();
  ASSERT_EQ(run("copy"), 0) << table_;
  ASSERT_EQ(energies("plain").size(), 1u);
  EXPECT_THAT(energies("plain")[0].text, HasSubstr("changed too rarely"));
}

}  // namespace
}  // namespace podium::test
