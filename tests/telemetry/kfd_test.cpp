// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The kernel's topology of AMD GPUs, from files as it has them.
#include "backends/telemetry/kfd.hpp"

#include <gmock/gmock.h>

#include <unistd.h>

#include <fstream>

#include "backends/telemetry/amd_partition.hpp"

namespace podium::telemetry {
namespace {

namespace fs = std::filesystem;

class Kfd : public testing::Test {
 protected:
  Kfd() { fs::create_directories(root_); }
  ~Kfd() override { fs::remove_all(root_); }
  void node(int number, const std::string& text) const {
    const fs::path at = root_ / "class/kfd/kfd/topology/nodes" / std::to_string(number);
    fs::create_directories(at);
    std::ofstream(at / "properties") << text;
  }
  fs::path root_ = fs::temp_directory_path() / ("podium-kfd-" + std::to_string(getpid()));
};

TEST_F(Kfd, NothingWhereThereIsNothing) { EXPECT_TRUE(kfd_gpus(root_).empty()); }

TEST_F(Kfd, GpusInTheKernelsOrder) {
  node(0, "cpu_cores_count 96\nsimd_count 0\n");
  node(10, "simd_count 64\ngfx_target_version 120001\n");
  node(2,
       "simd_count 1216\nname_without_number\nwave_front_size 64\nlds_size_in_kb 64\nnum_xcc 8\n"
       "gfx_target_version 90402\nlocation_id 49419\ndomain 2\nunique_id 18446744073709551615\n");
  node(3, "simd_count 440\ngfx_target_version 90010\n");
  const auto gpus = kfd_gpus(root_);
  ASSERT_EQ(gpus.size(), 3u);
  EXPECT_EQ(gpus[0].architecture, "gfx942");
  EXPECT_EQ(gpus[0].domain, 2u);
  EXPECT_EQ(gpus[0].bus, 0xc1u);
  EXPECT_EQ(gpus[0].device, 1u);
  EXPECT_EQ(gpus[0].function, 3u);
  EXPECT_EQ(gpus[0].wave, 64);
  EXPECT_EQ(gpus[0].local_share, 64 << 10);
  EXPECT_EQ(gpus[0].dies, 8);
  EXPECT_EQ(gpus[0].far_cache, 0);
  EXPECT_EQ(gpus[1].architecture, "gfx90a");
  EXPECT_EQ(gpus[2].architecture, "gfx1201");
}

TEST(PartitionName, IsEmptyForAWholeGpu) {
  EXPECT_EQ(partition_name("", ""), "");
  EXPECT_EQ(partition_name("SPX", "NPS1"), "");
  EXPECT_EQ(partition_name("SPX", ""), "");
  EXPECT_EQ(partition_name("CPX", ""), "CPX");
  EXPECT_EQ(partition_name("", "NPS4"), "NPS4");
  EXPECT_EQ(partition_name("DPX", "NPS2"), "DPX NPS2");
}

}  // namespace
}  // namespace podium::telemetry
