// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/base/process_stat.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace podium {
namespace {

TEST(ProcessStat, IsReadBehindAnyName) {
  const pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    prctl(PR_SET_NAME, ") Z 1 2 (");
    const ProcessStat seen = stat_of(getpid());
    _exit(seen.state == 'R' && seen.group == getpid() && seen.processor >= 0 && seen.processor < CPU_SETSIZE
              ? 0
              : 1);
  }
  siginfo_t info{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(info.si_status, 0);
  EXPECT_EQ(stat_of(child).state, 'Z') << "nobody has reaped it";
  waitpid(child, nullptr, 0);
  EXPECT_EQ(stat_of(child).state, 0);
}

}  // namespace
}  // namespace podium
