// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// User ids of workers: two runs at the same time never use the same one.
#include "suite/base/user.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace podium {
namespace {

TEST(WorkerUid, IsOneRunsAlone) {
  if (geteuid() != 0) GTEST_SKIP() << "only root gives workers a user id of their own";
  int said[2], over[2];
  ASSERT_EQ(pipe(said), 0);
  ASSERT_EQ(pipe(over), 0);
  const pid_t other = fork();  // another run, whose worker has not started yet: no process has the id
  if (other == 0) {
    close(over[1]);
    const uid_t uid = worker_uid().value_or(0);
    char byte = 0;
    const bool told = write(said[1], &uid, sizeof uid) == sizeof uid;
    _exit(told && read(over[0], &byte, 1) == 0 ? 0 : 1);
  }
  close(over[0]);
  uid_t uid = 0;
  ASSERT_EQ(read(said[0], &uid, sizeof uid), static_cast<ssize_t>(sizeof uid));
  EXPECT_NE(uid, 0u);
  EXPECT_FALSE(reserve_uid(uid)) << "both have " << uid;
  EXPECT_NE(worker_uid(), uid);
  close(over[1]);
  int status = -1;
  waitpid(other, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(reserve_uid(uid)) << "nobody has it any more";
  EXPECT_TRUE(reserve_uid(uid)) << "nor does this process take it from itself";
}

}  // namespace
}  // namespace podium
