// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Caches and partitions, from files as the kernel has them and from products' names.
#include "backends/hip/identity.hpp"

#include <gmock/gmock.h>

#include "tests/backends/hip/folder.hpp"

namespace podium::gpu {
namespace {

constexpr const char* nodes = "class/kfd/kfd/topology/nodes/";
constexpr std::int64_t mebibyte = 1 << 20;

// Two partitions of one GPU, 0000:c1:00.0 and .1, and a GPU that does not tell of its caches.
void write_nodes(const test::Folder& sys) {
  const std::string at = nodes;
  sys.write(at + "0/properties", "cpu_cores_count 96\nsimd_count 0\n");
  sys.write(at + "1/properties",
            "simd_count 152\ngfx_target_version 90402\nlocation_id 49408\ndomain 0\nlds_size_in_kb 64\n");
  sys.write(at + "1/caches/0/properties", "level 1\nsize 32\n");
  sys.write(at + "1/caches/1/properties", "level 2\nsize 4096\n");
  sys.write(at + "1/caches/2/properties", "level 3\nsize 262144\n");
  sys.write(at + "10/properties", "simd_count 96\ngfx_target_version 110000\nlocation_id 768\ndomain 0\n");
}

TEST(InfinityCache, IsTheKernelsWord) {
  const test::Folder sys;
  write_nodes(sys);
  EXPECT_EQ(infinity_cache("0000:c1:00.0", "anything", sys.path()), 256 * mebibyte);
  EXPECT_EQ(infinity_cache("0000:c1:00.1", "anything", sys.path()), 256 * mebibyte)
      << "a partition shares it";
  EXPECT_EQ(infinity_cache("0001:c1:00.0", "anything", sys.path()), 0) << "another domain";
}

TEST(InfinityCache, IsElseWhatIsPublished) {
  const test::Folder sys;
  write_nodes(sys);
  EXPECT_EQ(infinity_cache("0000:03:00.0", "AMD Radeon RX 7900 XTX", sys.path()), 96 * mebibyte);
  EXPECT_EQ(infinity_cache("0000:03:00.0", "AMD Radeon RX 7900 XT", sys.path()), 80 * mebibyte);
  EXPECT_EQ(infinity_cache("0000:03:00.0", "AMD Radeon RX 9070 XT", sys.path()), 64 * mebibyte);
  EXPECT_EQ(infinity_cache("0000:03:00.0", "AMD Radeon RX 9070 GRE", sys.path()), 48 * mebibyte);
  EXPECT_EQ(infinity_cache("", "AMD Instinct MI300X VF", sys.path() / "none"), 256 * mebibyte);
  EXPECT_EQ(infinity_cache("0000:03:00.0", "AMD Instinct MI250X", sys.path()), 0);
}

std::string nobody_is_asked() {
  ADD_FAILURE() << "asked";
  return "";
}

TEST(Partition, IsWhatSysfsSays) {
  const test::Folder sys;
  const std::string at = "bus/pci/devices/0000:c1:00.0/";
  const auto is = [&] { return partition("0000:c1:00.0", nobody_is_asked, sys.path()); };
  sys.write(at + "vendor", "0x1002\n");
  EXPECT_EQ(is(), "") << "it has no modes";
  sys.write(at + "current_compute_partition", "SPX\n");
  sys.write(at + "current_memory_partition", "NPS1\n");
  EXPECT_EQ(is(), "") << "whole";
  sys.write(at + "current_compute_partition", "CPX\n");
  EXPECT_EQ(is(), "CPX NPS1");
  sys.write(at + "current_memory_partition", "NPS4\n");
  EXPECT_EQ(is(), "CPX NPS4");
  sys.write(at + "current_compute_partition", "SPX\n");
  EXPECT_EQ(is(), "SPX NPS4");
}

TEST(Partition, IsElseAskedFor) {
  const test::Folder sys;
  EXPECT_EQ(partition("0000:c1:00.0", [] { return "QPX NPS1"; }, sys.path()), "QPX NPS1");
}

}  // namespace
}  // namespace podium::gpu
