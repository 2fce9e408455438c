// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The processor's telemetry from trees of files like those of /sys.
#include "backends/telemetry/processor.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cmath>
#include <fstream>

#include "suite/base/throttle_reason.hpp"

namespace podium::telemetry {
namespace {

namespace fs = std::filesystem;

class Processor : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = fs::temp_directory_path() / "podium-sys-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    sys_ = pattern;
  }
  void TearDown() override { fs::remove_all(sys_); }

  void file(const std::string& path, const std::string& text) const {
    fs::create_directories((sys_ / path).parent_path());
    std::ofstream(sys_ / path) << text << "\n";
  }
  void cpu(int number, const std::string& kilohertz, const std::string& package = "0") const {
    const std::string at = "devices/system/cpu/cpu" + std::to_string(number);
    file(at + "/cpufreq/scaling_cur_freq", kilohertz);
    file(at + "/topology/physical_package_id", package);
    file(at + "/thermal_throttle/package_throttle_count", "5");
  }
  void package(int number, const std::string& microjoules) const {
    const std::string at = "class/powercap/intel-rapl:" + std::to_string(number);
    file(at + "/name", "package-" + std::to_string(number));
    file(at + "/energy_uj", microjoules);
    file(at + "/max_energy_range_uj", "1000000000");
  }

  fs::path sys_;
};

TEST_F(Processor, MeanFrequencyAndHottestSensor) {
  cpu(0, "2000000");
  cpu(1, "3000000");
  file("devices/system/cpu/cpufreq/boost", "1");  // no processor
  file("class/hwmon/hwmon0/name", "nvme");
  file("class/hwmon/hwmon0/temp1_input", "99000");
  file("class/hwmon/hwmon1/name", "k10temp");
  file("class/hwmon/hwmon1/temp1_input", "61500");
  file("class/hwmon/hwmon1/temp2_input", "64250");
  file("class/hwmon/hwmon1/temp2_crit", "105000");
  file("class/thermal/thermal_zone0/type", "x86_pkg_temp");
  file("class/thermal/thermal_zone0/temp", "80000");
  const auto sensors = open_processor(sys_);
  EXPECT_EQ(sensors->source(), "sysfs");
  const auto is = sensors->read();
  EXPECT_DOUBLE_EQ(is.sm_clock, 2500);
  EXPECT_DOUBLE_EQ(is.temperature, 64.25)
      << "neither the disk's nor, where there is a better one, the zone's";
  EXPECT_TRUE(std::isnan(is.memory_clock));
  EXPECT_TRUE(std::isnan(sensors->energy()));
  EXPECT_TRUE(std::isnan(is.power));
  EXPECT_EQ(is.throttle, 0u);
}

TEST_F(Processor, ZonesWhereThereIsNoSensor) {
  file("class/thermal/thermal_zone0/type", "acpitz");
  file("class/thermal/thermal_zone0/temp", "99000");
  file("class/thermal/thermal_zone1/type", "cpu-thermal");
  file("class/thermal/thermal_zone1/temp", "-3500");
  EXPECT_DOUBLE_EQ(open_processor(sys_)->read().temperature, -3.5);
}

TEST_F(Processor, EnergyOfAllPackagesAlsoWhereACounterBeginsAnew) {
  package(0, "999000000");
  package(1, "500");
  file("class/powercap/intel-rapl:0:0/name", "core");  // part of package 0
  file("class/powercap/intel-rapl:0:0/energy_uj", "77");
  file("class/powercap/intel-rapl:2/name", "psys");  // holds the packages
  file("class/powercap/intel-rapl:2/energy_uj", "77");
  const auto sensors = open_processor(sys_);
  package(0, "2000000");
  package(1, "1000500");
  file("class/powercap/intel-rapl:0:0/energy_uj", "7777777");
  file("class/powercap/intel-rapl:2/energy_uj", "7777777");
  const auto is = sensors->read();
  EXPECT_NEAR(sensors->energy(), 3 + 1, 1e-9);
  EXPECT_GT(is.power, 0);
  EXPECT_NEAR(sensors->energy(), 4, 1e-9) << "nothing more since";
  EXPECT_EQ(sensors->read().power, 0);
}

TEST_F(Processor, HeatThatMadeTheKernelCountIsTold) {
  cpu(0, "2000000", "0");
  cpu(1, "2000000", "0");
  cpu(2, "2000000", "1");
  const auto sensors = open_processor(sys_);
  EXPECT_EQ(sensors->read().throttle, 0u);
  file("devices/system/cpu/cpu2/thermal_throttle/package_throttle_count", "6");
  EXPECT_EQ(sensors->read().throttle, throttle::temperature);
  EXPECT_EQ(sensors->read().throttle, 0u) << "not since the last look";
}

TEST_F(Processor, AMachineThatTellsNothingIsUnknown) {
  const auto sensors = open_processor(sys_ / "nowhere");
  EXPECT_EQ(sensors->source().find("none: "), 0u);
  const auto is = sensors->read();
  for (const double value : {is.sm_clock, is.temperature, is.power, sensors->energy()})
    EXPECT_TRUE(std::isnan(value));
}

TEST_F(Processor, WhatVanishesIsUnknown) {
  cpu(0, "2000000");
  package(0, "1");
  const auto sensors = open_processor(sys_);
  fs::remove_all(sys_ / "devices");
  fs::remove_all(sys_ / "class");
  const auto is = sensors->read();
  EXPECT_TRUE(std::isnan(is.sm_clock));
  EXPECT_TRUE(std::isnan(sensors->energy()));
}

}  // namespace
}  // namespace podium::telemetry
