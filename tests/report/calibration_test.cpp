// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A calibration as table, Markdown and roofline; the latter is read by Python's XML module, which works out
// where each roof has to be.
#include "suite/report/calibration.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "suite/base/error.hpp"
#include "suite/report/roofline.hpp"
#include "tests/paths.hpp"
#include "tests/report/sample_run.hpp"

namespace podium::report {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

record::Quantity measured(const std::string& name, const std::string& unit, double value) {
  return {name, unit, value, value * 0.99, value * 1.02, 11, ""};
}

record::Calibration h200() {
  record::Calibration c{.provenance = {.started = "2025-01-31T13:45:00Z",
                                       .device = {.backend = "cuda",
                                                  .product = "NVIDIA H200",
                                                  .architecture = "sm_90",
                                                  .memory = 150'110'011'392},
                                       .driver = "driver 580.1"},
                        .quantities = {}};
  for (const auto& [name, rate] : {std::pair{"fma_f64", 33e12},
                                   {"fma_f32", 60e12},
                                   {"fma_f16", 120e12},
                                   {"fma_bf16", 121e12},
                                   {"matrix_f64", 62e12},
                                   {"matrix_tf32", 362e12},
                                   {"matrix_f16", 720e12},
                                   {"matrix_bf16", 740e12},
                                   {"matrix_e4m3", 1250e12}})
    c.quantities.push_back(measured(name, "FLOP/s", rate));
  c.quantities.push_back(measured("matrix_i8", "op/s", 1200e12));
  for (const auto& [name, rate] : {std::pair{"copy", 4.22e12}, {"read", 4.5e12}, {"cache_read", 6.5e12}})
    c.quantities.push_back(measured(name, "B/s", rate));
  c.quantities.push_back(measured("launch", "s", 5.5e-6));
  c.quantities.push_back({"clock_settled", "", 1.034, 1.034, 1.034, 200, ""});
  return c;
}

// What roofline.py says of the drawing and the numbers; "" if it finds a fault.
std::string judged(const record::Calibration& calibration, const std::string& svg) {
  const fs::path folder = fs::temp_directory_path() / ("podium-roofline-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "r.svg") << svg;
  std::ofstream(folder / "c.json") << render(calibration, "json");
  const std::string script = test::source_dir() + "/tests/report/roofline.py";
  FILE* pipe = popen(
      ("python3 " + script + " " + (folder / "r.svg").string() + " " + (folder / "c.json").string() + " 2>&1")
          .c_str(),
      "r");
  std::string said;
  char part[512];
  while (std::fgets(part, sizeof part, pipe)) said += part;
  const bool well = pclose(pipe) == 0;
  fs::remove_all(folder);
  if (!well) std::printf("%s", said.c_str());
  return well ? said : "";
}

TEST(Roofline, EveryRoofIsWhereItsNumberSays) {
  const auto c = h200();
  EXPECT_EQ(judged(c, roofline(c, {})), "12 roofs, 0 points\n");
}

TEST(Roofline, ARoofDrawnElsewhereIsSeen) {
  const auto c = h200();
  auto other = c;
  other.quantities[1].value *= 1.01;
  EXPECT_EQ(judged(c, roofline(other, {})), "");
  auto slower = c;
  for (auto& q : slower.quantities)
    if (q.name == "copy") q.value *= 0.99;
  EXPECT_EQ(judged(c, roofline(slower, {})), "");
  auto fewer = c;
  fewer.quantities.erase(fewer.quantities.begin());
  EXPECT_EQ(judged(c, roofline(fewer, {})), "");
}

TEST(Roofline, HoldsForACpuAndForOneRoofOnly) {
  record::Calibration cpu{.provenance = h200().provenance, .quantities = {}};
  cpu.quantities = {measured("fma_f64", "FLOP/s", 1.1e11), measured("copy", "B/s", 9e9)};
  EXPECT_EQ(judged(cpu, roofline(cpu, {})), "2 roofs, 0 points\n");
}

TEST(Roofline, PointsStandBesideThem) {
  const auto c = h200();
  const auto svg = roofline(c, {{"softmax f32 \"cub\" <&>", 4.0e12, 2.5e12}, {"slow", 1e9, 1e6}});
  EXPECT_EQ(judged(c, svg), "12 roofs, 2 points\n");  // though the axes reach further down
  EXPECT_THAT(svg, HasSubstr("&quot;cub&quot; &lt;&amp;&gt;"));
}

TEST(Roofline, TheFirstRowOfEachBoardIsAPoint) {
  // 1 GB and 0.5 GFLOP in 250 µs, the baseline in 500 µs.
  sample::Run run;
  run.verified("online").baseline(500).timed({"online", std::vector(7, 250.)});
  const auto points = points_of(run.get(), h200());
  ASSERT_EQ(points.size(), 1u);
  EXPECT_EQ(points[0].label, "softmax f32 online");
  EXPECT_NEAR(points[0].bytes_per_second, 4e12, 1e6);
  EXPECT_NEAR(points[0].operations_per_second, 2e12, 1e6);
  auto other = h200();
  other.provenance.device.product = "NVIDIA B200";
  try {
    points_of(run.get(), other);
    FAIL() << "another device's run was drawn";
  } catch (const Error& e) {
    EXPECT_THAT(e.what(), HasSubstr("nvidia-b200"));
  }
}

TEST(Roofline, WithoutRatesThereIsNone) {
  record::Calibration nothing = h200();
  for (auto& q : nothing.quantities) q.samples = 0;
  EXPECT_THROW(roofline(nothing, {}), Error);
}

TEST(CalibrationTable, SaysValuesWithUnitsAndWhatIsMissing) {
  auto c = h200();
  c.quantities.push_back({"matrix_e5m2", "FLOP/s", 0, 0, 0, 0, "cuBLASLt | was not found"});
  const std::string text = render(c, "md");
  EXPECT_THAT(text, HasSubstr("| memory, copy (bytes read and written) | 4.220 TB/s | ±2.0 % | 11 |"));
  EXPECT_THAT(text, HasSubstr("| multiply-add, f32 | 60.00 TFLOP/s |"));
  EXPECT_THAT(text, HasSubstr("| matrix product, i8 | 1.200 Pop/s |"));
  EXPECT_THAT(text, HasSubstr("| 5.500 µs |"));
  EXPECT_THAT(text, HasSubstr("| 1.034 | – |"));
  EXPECT_THAT(text, HasSubstr("cuBLASLt \\| was not found"));
  EXPECT_THAT(text, HasSubstr("NVIDIA H200"));
  EXPECT_THAT(render(c, "table"), HasSubstr("matrix product, e5m2"));
}

TEST(CalibrationTable, DoubtsWhatScattersOrSlowsDown) {
  const auto sound = h200();
  EXPECT_EQ(doubts_about(sound), "");
  auto scattered = sound;
  for (auto& q : scattered.quantities)
    if (q.name == "matrix_f16") q.low = 0.7 * q.value;
  EXPECT_THAT(doubts_about(scattered), HasSubstr("matrix product, f16 scatters by 30 %"));
  EXPECT_EQ(slowdown_of(scattered), "");
  EXPECT_THAT(scatter_of(*scattered.find("matrix_f16")), HasSubstr("scatters by 30 %"));
  EXPECT_EQ(scatter_of(*scattered.find("fma_f32")), "");  // the others are as good as before
  auto slower = sound;
  slower.quantities.back() = {"clock_settled", "", 1.5, 1.5, 1.5, 200, ""};
  EXPECT_THAT(doubts_about(slower), HasSubstr("1.50 times slower"));
  EXPECT_THAT(slowdown_of(slower), HasSubstr("1.50 times slower"));
  auto late = sound;  // a launch may scatter
  late.quantities.push_back({"event_pair", "s", 2e-6, 1e-6, 9e-6, 101, ""});
  EXPECT_EQ(doubts_about(late), "");
}

TEST(CalibrationTable, UnitsGoByTheSize) {
  EXPECT_EQ(value_text(9.3e8, "B/s"), "930.0 MB/s");
  EXPECT_EQ(value_text(9.99996e8, "B/s"), "1.000 GB/s");
  EXPECT_EQ(value_text(1.25e15, "FLOP/s"), "1.250 PFLOP/s");
  EXPECT_EQ(value_text(12, "op/s"), "12.00 op/s");
  EXPECT_EQ(value_text(3.2e-8, "s"), "32.00 ns");
  EXPECT_EQ(value_text(1.15, ""), "1.150");
}

}  // namespace
}  // namespace podium::report
