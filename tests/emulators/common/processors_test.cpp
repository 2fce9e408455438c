// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Quotas of control groups, in a folder that stands for / ; and the mask of affinity.
#include "emulators/common/processors.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace podium::emulation {
namespace {

namespace fs = std::filesystem;

class Processors : public testing::Test {
 protected:
  Processors() : root_(fs::path(testing::TempDir()) / ("podium_processors_test" + std::to_string(getpid()))) {
    fs::remove_all(root_);
  }
  ~Processors() override { fs::remove_all(root_); }
  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  unsigned found() const { return processors(root_); }
  static unsigned in_mask() {
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    return static_cast<unsigned>(CPU_COUNT(&allowed));
  }

 private:
  fs::path root_;
};

TEST_F(Processors, AreThoseOfTheMaskWhereNothingIsSaid) { EXPECT_EQ(found(), in_mask()); }

TEST_F(Processors, AreAsManyAsTheQuotaOfVersion2Allows) {
  write("proc/self/cgroup", "0::/some/group\n");
  write("sys/fs/cgroup/some/group/cpu.max", "max 100000\n");
  EXPECT_EQ(found(), in_mask());
  write("sys/fs/cgroup/some/group/cpu.max", "150000 100000\n");
  EXPECT_EQ(found(), 1u);
  write("sys/fs/cgroup/some/group/cpu.max", "20000 100000\n");
  EXPECT_EQ(found(), 1u);
  write("sys/fs/cgroup/some/group/cpu.max", "99900000 100000\n");
  EXPECT_EQ(found(), in_mask());
}

TEST_F(Processors, AreLimitedByGroupsAbove) {
  write("proc/self/cgroup", "0::/some/group\n");
  write("sys/fs/cgroup/cpu.max", "100000 100000\n");
  EXPECT_EQ(found(), 1u);
}

TEST_F(Processors, AreAsManyAsTheQuotaOfVersion1Allows) {
  write("proc/self/cgroup", "4:memory:/a\n3:cpu,cpuacct:/a\n0::/\n");
  write("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "-1\n");
  write("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(found(), in_mask());
  write("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "100000\n");
  EXPECT_EQ(found(), 1u);
}

TEST_F(Processors, AreThoseOfTheMask) {
  cpu_set_t before, one;
  sched_getaffinity(0, sizeof before, &before);
  CPU_ZERO(&one);
  for (int k = 0; k < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++k)
    if (CPU_ISSET(k, &before)) CPU_SET(k, &one);
  sched_setaffinity(0, sizeof one, &one);
  EXPECT_EQ(found(), 1u);
  sched_setaffinity(0, sizeof before, &before);
}

}  // namespace
}  // namespace podium::emulation
