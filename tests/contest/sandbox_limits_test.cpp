// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What a worker may take, what it is handed, and what is left of it.
#include <gmock/gmock.h>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "suite/sandbox/scratch.hpp"
#include "tests/contest/sandbox_fixture.hpp"

namespace podium::sandbox {
namespace {

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

// In each way in which a worker may get a place for files: its own view; Landlock and a folder; a folder.
std::vector<MeansSet> views() {
  std::vector<MeansSet> all{granted()};
  MeansSet set = granted();
  for (const Means means : {Means::processes, Means::mounts, Means::landlock}) {
    set.set(means, false);
    if (means != Means::processes) all.push_back(set);
  }
  return all;
}

TEST(SandboxFiles, AreGoneForTheNextContestant) {
  for (const MeansSet& means : views())
    for (const std::string folder : {"/tmp", "/dev/shm", "/var/tmp"}) {
      const fs::path file = fs::path(folder) / ("podium-left-" + std::to_string(getpid()));
      const std::string said = answer({"create", file}, Sandbox{.uid = worker_uid(), .means = means});
      const bool cleaned = means.has(Means::uid) || means.has(Means::landlock) || means.has(Means::mounts);
      if (!cleaned) {  // an ordinary user's worker without any means: unattested, and docs/trust.md says so
        fs::remove(file);
        continue;
      }
      EXPECT_FALSE(fs::exists(file)) << said;
      EXPECT_NE(answer({"read", file}, Sandbox{.uid = worker_uid(), .means = means}), "done") << said;
      if (means.has(Means::mounts)) {
        EXPECT_EQ(said, "done") << "it has no " << folder << " of its own";
      }
    }
}

TEST(SandboxFiles, AreSeenWithoutThatByTheNextContestant) {  // what the test above would find
  if (const auto why = not_granted({Means::uid}); !why.empty()) GTEST_SKIP() << why;
  for (const fs::path folder : {"/dev/shm", "/tmp", "/run/lock"}) {
    const fs::file_status status = fs::status(folder);
    if (!fs::exists(status) || (status.permissions() & fs::perms::others_write) == fs::perms::none) continue;
    const fs::path file = folder / ("podium-left-" + std::to_string(getpid()));
    Trespasser first({"create", file}, Sandbox{.uid = worker_uid(), .means = {}});
    EXPECT_EQ(first.answer(), "done");
    EXPECT_TRUE(fs::exists(file)) << "as long as the worker has not been ended";
    first.child.end();
    EXPECT_FALSE(fs::exists(file));
  }
}

TEST(SandboxFiles, AScratchFolderIsRemovedAlsoAfterAKill) {
  fs::path path;
  {
    const ScratchFolder folder(geteuid());
    path = folder.path();
    std::ofstream(path / "file") << "x";
    remove_abandoned_scratch();
    EXPECT_TRUE(fs::exists(path / "file")) << "it was in use";
  }
  EXPECT_FALSE(fs::exists(path));

  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  const pid_t killed = fork();
  if (killed == 0) {
    const ScratchFolder folder(geteuid());
    const std::string name = folder.path();
    if (write(writing.get(), name.data(), name.size()) > 0) pause();
    _exit(1);
  }
  writing.reset();
  std::string name(256, '\0');
  const ssize_t got = read(reading.get(), name.data(), name.size());
  EXPECT_GT(got, 0);
  name.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  EXPECT_TRUE(fs::exists(name));
  kill(killed, SIGKILL);
  waitpid(killed, nullptr, 0);
  // Any process that makes a scratch folder removes it too: it may be gone, or another may be about to.
  for (int look = 0; look < 2000 && fs::exists(name); ++look) {
    remove_abandoned_scratch();
    if (look > 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_FALSE(fs::exists(name));
}

TEST(SandboxLimits, FilesAndDescriptorsEndWithAnError) {
  const Sandbox sandbox{.uid = worker_uid(), .file_bytes = 2 << 20};
  EXPECT_EQ(answer({"write", granted().has(Means::mounts) ? "/tmp/much" : "/proc/self/cwd/nowhere"}, sandbox),
            granted().has(Means::mounts) ? "EFBIG" : "EBADF");
  EXPECT_EQ(answer({"open"}, Sandbox{.uid = worker_uid()}), "EMFILE");
}

TEST(SandboxLimits, AForkBombMeetsItsBound) {
  if (!grant_of(Means::uid).held && !grant_of(Means::ipc).held)
    GTEST_SKIP() << "threads are counted by user or namespace: " << not_granted({Means::uid});
  Trespasser bomb({"bomb"}, Sandbox{.uid = worker_uid()});
  const std::string said = bomb.wait_for_word();
  EXPECT_THAT(said, HasSubstr("EAGAIN"));
  const int count = std::atoi(said.c_str());
  EXPECT_GT(count, most_threads() / 2);
  EXPECT_LE(count, most_threads());
  EXPECT_GT(bomb.child.usage().processes, most_processes);
  bomb.child.end();
  ProcessTree tree(bomb.child.pid(), 0);
  EXPECT_EQ(tree.usage().processes, 0);
}

TEST(SandboxLimits, MemoryOfChildrenCounts) {
  constexpr std::int64_t mib = 1 << 20;
  Trespasser bomb({"take", "200"}, Sandbox{.uid = worker_uid()});
  ASSERT_EQ(bomb.wait_for_word(), "taken");
  const Usage usage = bomb.child.usage();
  EXPECT_EQ(usage.processes, 2);
  EXPECT_GT(usage.bytes, 200 * mib);
  EXPECT_LT(usage.bytes, 260 * mib);
  if (const auto exact = bomb.child.bytes()) {
    EXPECT_GT(*exact, 200 * mib);
    EXPECT_LE(*exact, usage.bytes);
  } else {
    std::printf("not shown: the kernel does not tell this user's test how pages are shared\n");
  }
}

TEST(SandboxLimits, MemoryOfAProcessWithoutItsFirstThreadCounts) {
  constexpr std::int64_t mib = 1 << 20;
  Trespasser bomb({"take by thread", "200"}, Sandbox{.uid = worker_uid()});
  ASSERT_EQ(bomb.wait_for_word(), "taken");
  const Usage usage = bomb.child.usage();
  EXPECT_EQ(usage.processes, 2);
  EXPECT_GT(usage.bytes, 200 * mib);
  EXPECT_LT(usage.bytes, 260 * mib);
  EXPECT_GT(bomb.child.own_bytes(), 200 * mib);
  EXPECT_GT(bomb.child.bytes().value_or(usage.bytes), 200 * mib);
}

TEST(SandboxLimits, MemoryInFilesThatAreMappedNowhereCounts) {
  constexpr std::int64_t mib = 1 << 20;
  Trespasser bomb({"take in files", "192"}, Sandbox{.uid = worker_uid()});
  ASSERT_EQ(bomb.wait_for_word(), "taken");
  EXPECT_GT(bomb.child.usage().bytes, 192 * mib);
  EXPECT_LT(bomb.child.usage().bytes, 250 * mib);
  EXPECT_GT(bomb.child.own_bytes(), 192 * mib);
  if (const auto exact = bomb.child.bytes()) {
    EXPECT_GT(*exact, 192 * mib);
    EXPECT_LE(*exact, bomb.child.usage().bytes);
  }
}

TEST(SandboxLimits, NobodyIsSparedWhenMemoryIsShort) {
  Trespasser worker({"be spared"}, Sandbox{.uid = worker_uid()});
  ASSERT_EQ(worker.wait_for_word(), "asked");
  worker.child.usage();  // as podium looks now and then
  std::string score;
  std::ifstream("/proc/" + std::to_string(worker.child.pid()) + "/oom_score_adj") >> score;
  EXPECT_EQ(score, first_to_go);
}

TEST(SandboxLimits, AnOutputFloodIsCutOff) {
  Trespasser flood({"flood", "80"}, Sandbox{.uid = worker_uid()});  // MiB, on each stream
  EXPECT_EQ(flood.child.ended(20000), succeeded) << "an error, not an end";
  EXPECT_LE(lseek(flood.output.get(), 0, SEEK_END), Sandbox{}.file_bytes);
}

bool alive(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  return static_cast<bool>(file);
}

TEST(SandboxEnd, OfOneThatIgnoresSignals) {
  Trespasser deaf({"wait"}, Sandbox{.uid = worker_uid()});
  ASSERT_EQ(deaf.wait_for_word(), "waits");
  const pid_t pid = deaf.child.pid();
  kill(pid, SIGTERM);
  EXPECT_FALSE(deaf.child.ended(50));
  deaf.child.end();
  EXPECT_FALSE(alive(pid));
}

TEST(SandboxEnd, OfDaemonsToo) {
  // Also of one that could make a session of its own: by its user id.
  std::vector<MeansSet> all{granted()};
  if (grant_of(Means::uid).held) all.push_back({});
  for (const MeansSet& means : all) {
    Trespasser mother({"survive"}, Sandbox{.uid = worker_uid(), .means = means});
    std::string said;
    for (int i = 0; i < 1000 && said.find("daemon ") == std::string::npos; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      said = mother.said();
    }
    ASSERT_THAT(said, HasSubstr("daemon "));
    const pid_t daemon = std::atoi(said.c_str() + said.find("daemon ") + 7);
    ASSERT_TRUE(alive(daemon));
    mother.child.end();
    for (int i = 0; i < 400 && alive(daemon); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_FALSE(alive(daemon));
  }
}

TEST(SandboxHands, OverOnlyTheChosenDescriptors) {
  const Descriptor given(memfd_create("given", 0)), secret(memfd_create("secret", 0));
  Trespasser list({"descriptors"}, Sandbox{.uid = worker_uid()}, {given.get()});
  const std::string said = list.answer();
  EXPECT_THAT(said, HasSubstr("3=/memfd:given"));
  EXPECT_THAT(said, HasSubstr("0=/dev/null"));
  EXPECT_THAT(said, Not(HasSubstr("secret")));
  EXPECT_THAT(said, Not(HasSubstr("4="))) << said;
}

TEST(SandboxHands, OverNoSecretOfTheEnvironment) {
  setenv("PODIUM_TEST_TOKEN", "hunter2", 1);
  setenv("LD_PRELOAD_X", "hunter2", 1);
  const std::string said = answer({"environment"}, Sandbox{.uid = worker_uid()});
  unsetenv("PODIUM_TEST_TOKEN");
  unsetenv("LD_PRELOAD_X");
  EXPECT_THAT(said, Not(HasSubstr("hunter2")));
  EXPECT_THAT(said, HasSubstr("TMPDIR="));
}

}  // namespace
}  // namespace podium::sandbox
