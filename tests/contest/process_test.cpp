// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Children: their descriptors, their end, their sandbox.
#include "suite/sandbox/process.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "suite/base/error.hpp"
#include "suite/base/user.hpp"

namespace podium::sandbox {
namespace {

std::string read_back(int fd) {
  std::string text(4096, '\0');
  const ssize_t got = pread(fd, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return text;
}

struct Shell {
  Descriptor output{memfd_create("output", MFD_CLOEXEC)};
  Child child;
  explicit Shell(const std::string& script, std::optional<Sandbox> sandbox = {},
                 std::vector<int> descriptors = {})
      : child({.program = "/bin/sh",
               .arguments = {"-c", script},
               .descriptors = std::move(descriptors),
               .output = output.get(),
               .sandbox = sandbox}) {}
  std::string wait() {
    const auto end = child.ended(10000);
    return end ? words_of(*end) : "still running";
  }
  std::string said() const { return read_back(output.get()); }
};

TEST(Process, TellsHowAChildEnded) {
  EXPECT_EQ(Shell("exit 0").wait(), "exited with status 0");
  EXPECT_EQ(Shell("exit 3").wait(), "exited with status 3");
  EXPECT_EQ(Shell("kill -SEGV $$").wait(), "crashed: SIGSEGV");
  Shell sleeper("sleep 100");
  EXPECT_FALSE(sleeper.child.ended(20));
}

// Out of its group it could neither be stopped while inputs are written nor be ended with the others.
TEST(Process, AWorkerCannotLeaveItsProcessGroup) {
  const std::string leave = "setsid --wait sh -c 'echo away'";
  Shell trusted(leave);
  EXPECT_EQ(trusted.wait(), "exited with status 0");
  EXPECT_EQ(trusted.said(), "away\n");
  Shell worker(leave, Sandbox{});
  EXPECT_NE(worker.wait(), "exited with status 0");
  EXPECT_EQ(worker.said().find("away"), std::string::npos) << worker.said();
}

TEST(Process, NamesAProgramThatIsNotThere) {
  try {
    Child child({.program = "/no/such/program"});
    FAIL() << "it was started";
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("/no/such/program"), std::string::npos);
  }
}

TEST(Process, HandsOverOnlyTheChosenDescriptors) {
  const Descriptor given(memfd_create("given", 0));  // not closed on exec by itself
  const Descriptor other(memfd_create("other", 0));
  ASSERT_EQ(write(given.get(), "content", 7), 7);
  Shell shell("ls -l /proc/self/fd | grep -c memfd:given; ls -l /proc/self/fd | grep -c memfd:other; true",
              {}, {given.get()});
  EXPECT_EQ(shell.wait(), "exited with status 0");
  EXPECT_EQ(shell.said(), "1\n0\n");
}

TEST(Process, EndsAllThatAChildStarted) {
  Shell shell("sleep 1000 & echo $!; wait");
  for (int i = 0; i < 200 && shell.said().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const pid_t grandchild = std::stoi(shell.said());
  ASSERT_EQ(kill(grandchild, 0), 0);
  shell.child.end();
  bool gone = false;
  for (int i = 0; i < 200 && !gone; ++i) {
    std::ifstream status("/proc/" + std::to_string(grandchild) + "/stat");
    std::string pid, name, state;
    gone = !(status >> pid >> name >> state) || state == "Z";
    if (!gone) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(gone);
}

TEST(Sandbox, LimitsFilesAndCores) {
  Shell shell("ulimit -c; ulimit -f; pwd", Sandbox{.file_bytes = 1 << 20});
  EXPECT_EQ(shell.wait(), "exited with status 0");
  EXPECT_EQ(shell.said(), "0\n2048\n/\n");
}

TEST(Sandbox, CleansTheEnvironment) {
  setenv("PODIUM_TEST_SECRET", "hunter2", 1);
  Shell outside("echo ${PODIUM_TEST_SECRET:-nothing}"),
      inside("echo ${PODIUM_TEST_SECRET:-nothing}", Sandbox{});
  outside.wait();
  inside.wait();
  unsetenv("PODIUM_TEST_SECRET");
  EXPECT_EQ(outside.said(), "hunter2\n");
  EXPECT_EQ(inside.said(), "nothing\n");
}

TEST(Sandbox, ChangesTheUserWhenRoot) {
  const auto uid = worker_uid();
  if (!uid) {
    EXPECT_NE(geteuid(), 0u);  // only root can, and root must
    return;
  }
  Shell shell(
      "id -u; id -g; id -G; cat /proc/" + std::to_string(getpid()) + "/environ > /dev/null && echo readable",
      Sandbox{.uid = uid});
  shell.wait();
  const std::string said = shell.said();
  const std::string id = std::to_string(*uid);
  EXPECT_TRUE(said.starts_with(id + "\n" + id + "\n")) << said;
  EXPECT_EQ(said.find("readable\n"), std::string::npos) << said;
}

TEST(Sandbox, WhatAWorkerStartedEndsWithIt) {
  Shell shell("sleep 1000 & echo $!; wait", Sandbox{.uid = worker_uid()});
  for (int i = 0; i < 300 && shell.said().empty(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const pid_t fugitive = std::stoi(shell.said());
  ASSERT_EQ(kill(fugitive, 0), 0);
  shell.child.end();
  bool gone = false;
  for (int i = 0; i < 200 && !gone; ++i) {
    gone = kill(fugitive, 0) != 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(gone);
}

}  // namespace
}  // namespace podium::sandbox
