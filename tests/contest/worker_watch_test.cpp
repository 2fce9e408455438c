// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A worker that takes too much, or too long, is ended, and podium knows why.
#include "suite/contest/worker_watch.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace podium::contest {
namespace {

sandbox::Child sleeper() {
  return sandbox::Child(
      {.program = "/bin/sh", .arguments = {"-c", "exec sleep 100"}, .sandbox = sandbox::Sandbox{}});
}

constexpr sandbox::End killed = sandbox::Killed{SIGKILL};

TEST(WorkerWatch, EndsOneThatTakesTooMuchMemory) {
  WorkerWatch watch(1);  // a byte
  sandbox::Child worker = sleeper();
  EXPECT_TRUE(watch.look(worker));
  EXPECT_EQ(worker.ended(10000), killed);
  ASSERT_TRUE(watch.ended_for());
  EXPECT_EQ(watch.ended_for()->verdict, Verdict::out_of_memory);
  EXPECT_FALSE(watch.look(worker)) << "it has been ended";
}

TEST(WorkerWatch, LeavesOneAloneThatTakesWhatItMay) {
  WorkerWatch watch(std::int64_t{1} << 40);
  sandbox::Child worker = sleeper();
  EXPECT_FALSE(watch.look(worker));
  EXPECT_FALSE(watch.ended_for());
}

TEST(WorkerWatch, EndsOneThatTakesTooLongOnce) {
  WorkerWatch watch(std::int64_t{1} << 40);
  sandbox::Child nobody, worker = sleeper();
  EXPECT_FALSE(watch.time_out(nobody, std::chrono::seconds(3)));
  EXPECT_TRUE(watch.time_out(worker, std::chrono::seconds(3)));
  EXPECT_EQ(worker.ended(10000), killed);
  EXPECT_EQ(watch.ended_for()->verdict, Verdict::hung);
  EXPECT_EQ(watch.ended_for()->text, "no answer in 3 s");
  EXPECT_FALSE(watch.time_out(worker, std::chrono::seconds(3)));
  watch.begin_turn();
  EXPECT_FALSE(watch.ended_for());
}

}  // namespace
}  // namespace podium::contest
