// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/sandbox/scratch.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

namespace podium::sandbox {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

TEST(ScratchFolder, IsThereUntilItIsRemovedThoughOthersClearAwayAbandonedOnes) {
  std::jthread other([](const std::stop_token& stop) {
    while (!stop.stop_requested()) remove_abandoned_scratch();
  });
  for (int i = 0; i < 2000; ++i) {
    const ScratchFolder folder(geteuid());
    ASSERT_TRUE(fs::is_directory(folder.path())) << "folder " << i;
  }
}

TEST(ScratchFolder, TakesAllInItWithIt) {
  fs::path path;
  {
    const ScratchFolder folder(geteuid());
    path = folder.path();
    std::ofstream(path / "file") << "text";
    ASSERT_TRUE(fs::exists(path / "file"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(ScratchFolder, ThatNobodyHoldsIsRemoved) {
  const fs::path left = "/tmp/podium-scratch-test" + std::to_string(getpid());
  fs::create_directory(left);
  // Another process that clears away at this moment may have it locked and be about to remove it.
  const auto deadline = std::chrono::steady_clock::now() + 10s;
  do remove_abandoned_scratch();
  while (fs::exists(left) && std::chrono::steady_clock::now() < deadline);
  EXPECT_FALSE(fs::exists(left));
}

TEST(ScratchFolder, BelongsToItsOwner) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  constexpr uid_t owner = 65500;
  const ScratchFolder folder(owner);
  struct stat status{};
  ASSERT_EQ(stat(folder.path().c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, owner);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
}

}  // namespace
}  // namespace podium::sandbox
