// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The baseline of every board of kernels/ passes with its limits halved, on the device that
// PODIUM_TEST_DEVICE names; on the CPU that of one board of each problem, another one each day, or of all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "suite/base/error.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/general_mistakes/honest.hpp"
#include "tests/general_mistakes/kernels.hpp"
#include "tests/whole.hpp"

namespace podium::mistakes {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string device = std::getenv("PODIUM_TEST_DEVICE") ? std::getenv("PODIUM_TEST_DEVICE") : "host:0";
const std::string backend = device.substr(0, device.find(':'));
const int ordinal = std::stoi(device.substr(device.find(':') + 1));

class Baseline : public testing::TestWithParam<std::string> {};

TEST_P(Baseline, PassesWithHalfOfEachLimit) {
  Held held;
  try {
    held = hold_baseline(kernels() / GetParam(), backend, ordinal, backend == "host" && !test::whole());
  } catch (const Error& error) {
    if (error.fault() != Fault::device || backend == "host") throw;
    GTEST_SKIP() << error.what();
  }
  std::cout << joined(held.lines);
  EXPECT_TRUE(held.faults.empty()) << joined(held.faults);
  if (!held.left_out.empty()) GTEST_SKIP() << joined(held.left_out);
}

INSTANTIATE_TEST_SUITE_P(Kernels, Baseline, testing::ValuesIn(problems()),
                         [](const auto& one) { return one.param; });

// The test itself, on the CPU: of y = 2 x with the baseline named, what is said of it.
Held held(const std::string& baseline, const std::string& result, const std::string& when = "") {
  const test::Scratch scratch;
  scratch.write("trial/problem.yaml",
                "podium: 1\ntitle: t\naxes: [n]\ntypes: { real: [f32, f64] }\ntensors:\n"
                "  x: { role: input, dtype: real, shape: [n], fill: normal }\n"
                "  y: { role: output, dtype: real, shape: [n], tolerance: { ulp: 1, growth: 0 } }\n"
                "reference:\n  y: { index: [i], value: \"2 * x(i)\" }\n"
                "workloads: { test: [{ n: 100 }, { n: 7 }] }\n" +
                    baseline);
  scratch.write("trial/serial.cpp", "// podium: { title: A loop" + when +
                                        " }\n#include <podium/trial.hpp>\n#include <cmath>\nnamespace {\n"
                                        "struct Contestant {\n"
                                        "  void run(const problem::Arguments& a, podium::Stream) {\n"
                                        "    for (std::int64_t i = 0; i < a.n; ++i) a.y(i) = " +
                                        result + ";\n  }\n};\n}  // namespace\n");
  return hold_baseline(scratch.path() / "trial", "host", 0);
}
constexpr char serial[] = "baseline: { host: serial }\n";

TEST(HoldBaseline, SaysWhatIsNotWell) {
  const Held well = held(serial, "2 * a.x(i)");
  EXPECT_THAT(well.faults, IsEmpty());
  EXPECT_THAT(well.lines,
              Contains(HasSubstr("trial/f64: serial: 2 workloads, largest error 0 of its limit")));
  const Held near = held(serial, "std::nextafter(2 * a.x(i), problem::real(INFINITY))");
  EXPECT_THAT(near.faults, Contains(HasSubstr("trial/f32: serial itself on n=100: largest error ")));
  EXPECT_THAT(near.faults, Contains(HasSubstr("expected 0.5 of the limit or less")));
  EXPECT_THAT(held(serial, "3 * a.x(i)").faults,
              Contains(HasSubstr("trial/f32: serial itself on n=100: wrong: y[")));
  EXPECT_THAT(held("", "2 * a.x(i)").faults, Contains("trial: found no baseline for host, expected one"));
  EXPECT_THAT(held(serial, "2 * a.x(i)", ", when: n > 1000").faults,
              Contains("trial/f32: its baseline was verified on no test workload, expected at least one"));
  EXPECT_THAT(held(serial, "2 * a.x(i)", ", types: { real: [f32] }").faults,
              Contains("trial/f64: its baseline serial does not serve it"));
}

}  // namespace
}  // namespace podium::mistakes
