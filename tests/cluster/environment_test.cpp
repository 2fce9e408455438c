// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A node's record from made-up files and answers.
#include "suite/cluster/environment.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

namespace podium::cluster {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class Node : public testing::Test {
 protected:
  Node() {
    auto name = (fs::temp_directory_path() / "podium-node-XXXXXX").string();
    if (!::mkdtemp(name.data())) std::abort();
    root = name;
    write("proc/cpuinfo", "model name\t: AMD EPYC 9654 96-Core Processor\n");
    write("proc/sys/kernel/osrelease", "6.1.0\n");
    for (const char* cpu : {"cpu0", "cpu1"})
      write(fs::path("sys/devices/system/cpu") / cpu / "cpufreq/scaling_governor", "performance\n");
  }
  ~Node() override { fs::remove_all(root); }
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }
  fs::path root;
};

TEST_F(Node, WithoutADeviceIsTheMachine) {
  const auto found = describe_device("", root);
  EXPECT_EQ(found.id, "");
  EXPECT_EQ(found.environment.at("governor"), "performance");
  EXPECT_EQ(found.environment.at("cpu"), "AMD EPYC 9654 96-Core Processor");
  EXPECT_EQ(found.environment.at("kernel"), "6.1.0");
  EXPECT_FALSE(found.environment.contains("driver"));
  write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
  EXPECT_EQ(describe_device("", root).environment.at("governor"), "performance, powersave");
}

TEST_F(Node, DescribesAnAmdDevice) {
  const fs::path device = "sys/bus/pci/devices/0000:0a:00.0";
  write(device / "unique_id", "0123456789abcdef\n");
  write(device / "pp_dpm_sclk", "0: 132Mhz\n1: 2100Mhz *\n");
  write(device / "hwmon/hwmon3/power1_cap", "750000000\n");
  write(device / "current_compute_partition", "SPX\n");
  write(device / "numa_node", "1\n");
  write(device / "local_cpulist", "2-3,8\n");
  write("sys/module/amdgpu/version", "6.12.12\n");
  const auto found = describe_device("0000:0A:00.0", root);
  EXPECT_EQ(found.id, "0123456789abcdef");
  EXPECT_EQ(found.environment.at("driver"), "6.12.12");
  EXPECT_EQ(found.environment.at("sm_clock_mhz"), "2100");
  EXPECT_EQ(found.environment.at("power_cap_w"), "750");
  EXPECT_EQ(found.environment.at("compute_partition"), "SPX");
  EXPECT_EQ(found.environment.at("numa_node"), "1");
  EXPECT_THAT(near_cpus("0000:0A:00.0", root), ElementsAre(2, 3, 8));
}

TEST(NvidiaDevice, IsReadFromItsTool) {
  const auto found = nvidia_device(
      "GPU-5f, 580.82.07, 96.00.A5.00.01, Enabled, Enabled, Disabled, Default, 700.00, 700.00, 1980, 3201, "
      "[N/A], "
      "N/A, 5, 16\n");
  EXPECT_EQ(found.id, "GPU-5f");
  EXPECT_EQ(found.environment.at("driver"), "580.82.07");
  EXPECT_EQ(found.environment.at("persistence"), "Enabled");
  EXPECT_EQ(found.environment.at("ecc"), "Enabled");
  EXPECT_EQ(found.environment.at("mig"), "Disabled");
  EXPECT_EQ(found.environment.at("power_cap_w"), "700.00");
  EXPECT_EQ(found.environment.at("sm_clock_mhz"), "1980");
  EXPECT_FALSE(found.environment.contains("sm_clock_set_mhz"));
  EXPECT_EQ(found.environment.at("pcie_width"), "16");
}

TEST(CpuLists, AreReadAndWritten) {
  EXPECT_THAT(cpu_list("0-2,5"), ElementsAre(0, 1, 2, 5));
  EXPECT_THAT(cpu_list(""), IsEmpty());
  EXPECT_THAT(cpu_list("all"), IsEmpty());
  EXPECT_EQ(cpu_list(std::vector<int>{0, 1, 2, 5, 7, 8}), "0-2,5,7-8");
}

}  // namespace
}  // namespace podium::cluster
