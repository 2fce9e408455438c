// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// `podium calibrate` on the CPU: everything is there, no number beyond what silicon can do, and stored.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "suite/record/calibration.hpp"
#include "tests/end_to_end/command.hpp"
#include "tests/paths.hpp"

namespace podium::test {
namespace {

using testing::HasSubstr;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

fs::path only_file(const fs::path& results) {
  for (const auto& device : fs::directory_iterator(results)) return device.path() / "calibration.json";
  return {};
}

TEST(Calibrate, TheCpuIsMeasuredStoredAndDrawn) {
  const Scratch scratch;
  const fs::path svg = scratch.path() / "roofs.svg";
  const Ended ended = podium(
      {"calibrate", "--device", "host", "--results", scratch.results().string(), "--svg", svg.string()});
  ASSERT_EQ(ended.status, 0) << ended.err;
  const fs::path file = only_file(scratch.results());
  EXPECT_THAT(ended.err, HasSubstr(file.string()));
  const auto calibration = record::read_calibration(file);

  const auto value = [&](const char* name) {
    const auto* quantity = calibration.find(name);
    EXPECT_TRUE(quantity) << name << " was not measured\n" << ended.out;
    return quantity ? quantity->value : 0;
  };
  // Bounds that no processor reaches: 8 GHz, two 512-bit multiply-adds and four 64-byte loads a cycle.
  const double threads = calibration.provenance.multiprocessors, cycles = 8e9;
  ASSERT_GE(threads, 1);
  for (const auto& [name, bits] : {std::pair{"fma_f64", 64}, {"fma_f32", 32}}) {
    EXPECT_GT(value(name), 1e7) << name;
    EXPECT_LT(value(name), threads * cycles * 2 * 2 * 512 / bits) << name << ": its loop was left out";
  }
  for (const char* name : {"copy", "read", "write"}) {
    EXPECT_GT(value(name), 1e7) << name;
    EXPECT_LT(value(name), 2e13) << name << ": its loop was left out";
  }
  EXPECT_LT(value("cache_read"), threads * cycles * 256);
  EXPECT_GT(value("cache_read"), 1e7);
  EXPECT_LT(value("copy"), 2 * (value("read") + value("write")));
  for (const char* name : {"launch", "event_pair", "timer_resolution", "attestation_tolerance"}) {
    EXPECT_GT(value(name), 0) << name;
    EXPECT_LT(value(name), 1) << name;
  }
  for (const char* name : {"clock_first", "clock_settled"}) EXPECT_GE(value(name), 1) << name;
  EXPECT_FALSE(calibration.provenance.commit.empty() || calibration.provenance.compilers.empty());
  EXPECT_EQ(calibration.provenance.device.backend, "host");

  EXPECT_THAT(ended.out, HasSubstr("multiply-add, f64"));
  const std::string check = std::string("python3 ") + source_dir() + "/tests/report/roofline.py " +
                            svg.string() + " " + file.string();
  EXPECT_EQ(std::system(check.c_str()), 0) << text_of(svg);
}

// A thousand operations for each element of eight bytes.
constexpr char problem[] = R"YAML(podium: 1
title: Powers
axes: [n]
types: { real: [f32] }
tensors:
  x: { role: input, dtype: real, shape: [n], fill: { uniform: { low: 0, high: 1 } } }
  y: { role: output, dtype: real, shape: [n], tolerance: { ulp: 0 } }
reference:
  y: { index: [i], value: "x(i)" }
cost: { bytes: auto, flops: 1000 * n }
workloads:
  test: [ { n: 5 } ]
  quick: [ { n: 100000 } ]
)YAML";
constexpr char contestant[] = R"CPP(// podium: { title: Loop }
#include <podium/powers.hpp>
                                    struct Contestant {
                                      void run(const problem::Arguments& a, podium::Stream) {
                                        for (std::int64_t i = 0; i < a.n; ++i) a.y(i) = a.x(i);
                                      }
                                    };
)CPP";

TEST(Calibrate, RunsHoldArithmeticAgainstIt) {
  const Scratch scratch;
  scratch.write("problems/powers/problem.yaml", problem);
  scratch.write("problems/powers/loop.cpp", contestant);
  const auto run = [&] {
    return podium({"run", "--device", "host", "--rounds", "1", "--format", "json", "--problems",
                   (scratch.path() / "problems").string(), "--results", scratch.results().string()});
  };
  const auto sol = [](const Ended& ended) {
    return nlohmann::json::parse(ended.out)["boards"][0]["rows"][0]["workloads"][0]["sol_raw"];
  };
  const Ended before = run();
  ASSERT_EQ(before.status, 0) << before.err;
  EXPECT_TRUE(sol(before).is_null()) << before.out;

  const auto device = record::provenance_from(scratch.runs().at(0).provenance);
  record::Calibration stored{
      .provenance = {.started = "2025-01-31T13:45:00Z", .device = device.device, .driver = device.driver},
      .quantities = {{"fma_f32", "FLOP/s", 2e11, 2e11, 2e11, 11, ""},
                     {"fma_f64", "FLOP/s", 1e11, 1e11, 1e11, 11, ""},
                     {"fma_f16", "FLOP/s", 0, 0, 0, 0, "none"},
                     {"copy", "B/s", 1e10, 1e10, 1e10, 11, ""}}};
  const fs::path file = record::calibration_file(scratch.results(), device.device);
  record::write_calibration(file, stored);
  const Ended after = run();
  ASSERT_EQ(after.status, 0) << after.err;
  ASSERT_TRUE(sol(after).is_number()) << after.out;
  const auto report = nlohmann::json::parse(after.out);
  const double microseconds = report["boards"][0]["rows"][0]["workloads"][0]["median_us"];
  EXPECT_NEAR(sol(after).get<double>() * microseconds, 1e8 / 2e11 * 1e6, 1e-6);
  EXPECT_EQ(report["provenance"]["calibrated"], "2025-01-31T13:45:00Z");
  EXPECT_EQ(report["provenance"]["arithmetic"].size(), 2u);

  stored.quantities[0].low = 1e11;
  record::write_calibration(file, stored);
  const Ended scattered = run();
  EXPECT_EQ(scattered.status, 0);
  EXPECT_TRUE(sol(scattered).is_null());
  EXPECT_THAT(scattered.err, HasSubstr("multiply-add, f32 scatters by 50 %"));
  const auto left = nlohmann::json::parse(scattered.out)["provenance"]["arithmetic"];
  EXPECT_EQ(left.size(), 1u) << left;
  EXPECT_TRUE(left.contains("fma_f64")) << left;

  stored.quantities[0].low = 2e11;
  stored.provenance.driver = "another";
  record::write_calibration(file, stored);
  const Ended other = run();
  EXPECT_EQ(other.status, 0);
  EXPECT_TRUE(sol(other).is_null());
  EXPECT_THAT(other.err, HasSubstr("measured with driver another"));
  std::ofstream(file) << "garbage";
  const Ended broken = run();
  EXPECT_EQ(broken.status, 0);
  EXPECT_TRUE(sol(broken).is_null());
  EXPECT_THAT(broken.err, HasSubstr("is not JSON"));
}

// Problems of several devices cannot stand in: most machines have one.
TEST(Calibrate, TakesAProblemOfOneDevice) {
  const Scratch scratch;
  setenv("PODIUM_PROBLEMS", scratch.copy_of("all_reduce").parent_path().c_str(), 1);
  const std::vector<std::string> arguments{"calibrate", "--device", "host", "--results",
                                           scratch.results().string()};
  EXPECT_THAT(podium(arguments).err, HasSubstr("no problem runs on this device"));
  scratch.copy_of("sum");
  EXPECT_EQ(podium(arguments).status, 0);
  unsetenv("PODIUM_PROBLEMS");
}

TEST(Calibrate, WrongOptionsAreRefusedBeforeAnythingIsMeasured) {
  const Scratch scratch;
  const auto refused = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"calibrate", "--results", scratch.results().string()});
    const Ended ended = podium(arguments);
    EXPECT_FALSE(fs::exists(scratch.results()));
    return std::pair(ended.status, ended.out + ended.err);
  };
  const auto format = refused({"--device", "host", "--format", "pdf"});
  EXPECT_EQ(format.first, 2);
  EXPECT_THAT(format.second, HasSubstr("svg"));
  EXPECT_EQ(refused({"--device", "abacus"}).first, 2);
  EXPECT_EQ(refused({"--device", "host:99"}).first, 3);
  const auto run = refused({"--device", "host", "--run", scratch.path().string()});
  EXPECT_EQ(run.first, 2);
  EXPECT_THAT(run.second, HasSubstr("--svg"));
  const auto nothing = refused(
      {"--device", "host", "--run", scratch.path().string(), "--svg", (scratch.path() / "x").string()});
  EXPECT_EQ(nothing.first, 2);
  EXPECT_THAT(nothing.second, HasSubstr("run.json"));
  const auto folder = refused({"--device", "host", "--svg", (scratch.path() / "none/x.svg").string()});
  EXPECT_EQ(folder.first, 2);
  EXPECT_THAT(folder.second, HasSubstr("none/x.svg"));
}

}  // namespace
}  // namespace podium::test
