// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/idle.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace podium::ptx {
namespace {

namespace fs = std::filesystem;

class IdleProcessors : public testing::Test {
 protected:
  IdleProcessors() : root_(fs::path(testing::TempDir()) / ("podium_idle_test" + std::to_string(getpid()))) {
    fs::create_directories(root_ / "proc");
  }
  ~IdleProcessors() override { fs::remove_all(root_); }
  unsigned with(const std::string& loadavg) const {
    std::ofstream(root_ / "proc/loadavg") << loadavg;
    return idle_processors(8, root_);
  }
  fs::path root_;
};

TEST_F(IdleProcessors, AreThoseForWhichNothingIsReadyToRun) {
  EXPECT_EQ(with("0.42 1.31 2.20 1/234 5678\n"), 7u);
  EXPECT_EQ(with("0.42 1.31 2.20 3/234 5678\n"), 5u);
  EXPECT_EQ(with("9.42 1.31 2.20 8/234 5678\n"), 0u);
  EXPECT_EQ(with("9.42 1.31 2.20 23/234 5678\n"), 0u);
}

TEST_F(IdleProcessors, OneIsThisThreads) { EXPECT_EQ(with("0.00 0.00 0.00 0/234 5678\n"), 7u); }

TEST_F(IdleProcessors, AreAllOthersWhereNothingIsKnown) {
  EXPECT_EQ(idle_processors(8, root_), 7u);
  EXPECT_EQ(with(""), 7u);
  EXPECT_EQ(with("0.42 1.31\n"), 7u);
  EXPECT_EQ(with("something else\n"), 7u);
}

}  // namespace
}  // namespace podium::ptx
