// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Which device nodes a worker under another user id could not open.
#include "suite/cli/device_nodes.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace podium::cli {
namespace {

namespace fs = std::filesystem;

class Nodes : public testing::Test {
 protected:
  Nodes() { fs::create_directories(dev_ / "dri"); }
  ~Nodes() override { fs::remove_all(dev_); }
  void node(const std::string& name, mode_t mode, gid_t group) const {
    const fs::path file = dev_ / name;
    std::ofstream(file) << "";
    ASSERT_EQ(chmod(file.c_str(), mode), 0);
    if (chown(file.c_str(), getuid(), group) != 0) GTEST_SKIP() << "needs root to give files away";
  }
  fs::path dev_ = fs::temp_directory_path() / ("podium-nodes-" + std::to_string(getpid()));
};

TEST_F(Nodes, OpenToTheirUsersAreNotNamed) {
  node("nvidia0", 0666, 0);
  node("nvidia-caps", 0600, 0);
  node("kfd", 0660, 110);
  node("dri/renderD128", 0666, 0);
  node("dri/card0", 0600, 0);
  if (IsSkipped()) return;
  EXPECT_TRUE(closed_to_workers(dev_).empty());
}

TEST_F(Nodes, ClosedOnesAreNamedWithWhatToDo) {
  node("nvidia0", 0660, 44);
  node("kfd", 0660, 0);
  node("dri/renderD128", 0600, 110);
  if (IsSkipped()) return;
  const auto closed = closed_to_workers(dev_);
  ASSERT_EQ(closed.size(), 3u);
  EXPECT_EQ(closed[0].file, dev_ / "dri/renderD128");
  EXPECT_EQ(closed[1].file, dev_ / "kfd");
  EXPECT_THAT(closed[1].advice, testing::HasSubstr("chgrp render"));
  EXPECT_EQ(closed[2].file, dev_ / "nvidia0");
  EXPECT_THAT(closed[2].advice, testing::HasSubstr("chmod a+rw"));
}

TEST_F(Nodes, NoneWhereThereAreNone) { EXPECT_TRUE(closed_to_workers(dev_ / "nowhere").empty()); }

}  // namespace
}  // namespace podium::cli
