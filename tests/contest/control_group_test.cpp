// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Control groups: where podium makes them, in files that stand for the kernel's; and what the kernel of this
// machine counts in them.
#include "suite/sandbox/control_group.hpp"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "suite/base/error.hpp"
#include "suite/base/process_stat.hpp"
#include "suite/sandbox/scratch.hpp"
#include "tests/contest/sandbox_fixture.hpp"

namespace podium::sandbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

namespace fs = std::filesystem;

constexpr std::int64_t mib = 1 << 20;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> groups_in(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with("podium-group-")) all.push_back(entry.path());
  return all;
}

// A tree of groups and the files of /proc that lead to it. Nobody fills a new group with files there: what is
// in them podium has written.
class FakeTree {
 public:
  FakeTree() { fs::create_directory(proc()); }

  fs::path proc() const { return folder_.path() / "proc"; }
  fs::path at(const std::string& group) const { return (folder_.path() / "tree" / group).lexically_normal(); }
  void mount(const std::string& type, const std::string& options, const std::string& root = "/") const {
    std::ofstream(proc() / "mountinfo", std::ios::app)
        << "31 23 0:28 / /sys rw,relatime - sysfs sysfs rw\n"
        << "41 31 0:38 " << root << " " << at("").parent_path().string() << " rw,relatime shared:7 - " << type
        << " none " << options << "\n";
  }
  // Podium's own group of that name, whose files say so.
  void second(const std::string& own, const std::string& processes,
              const std::string& handed_down = "") const {
    mount("cgroup2", "rw,nsdelegate");
    std::ofstream(proc() / "cgroup") << "0::/" << own << "\n";
    group(own, processes, handed_down);
  }
  void group(const std::string& name, const std::string& processes, const std::string& handed_down) const {
    fs::create_directories(at(name));
    std::ofstream(at(name) / "cgroup.controllers") << "cpu memory pids\n";
    std::ofstream(at(name) / "cgroup.procs") << processes;
    std::ofstream(at(name) / "cgroup.subtree_control") << handed_down;
  }

 private:
  ScratchFolder folder_{geteuid()};
};

std::string own_number() { return std::to_string(getpid()) + "\n"; }

TEST(GroupHome, IsBelowAGroupThatHandsItsControllersDown) {
  const FakeTree tree;
  tree.second("", "1\n2\n", "cpu memory pids");
  const GroupHome home(tree.proc());
  ASSERT_TRUE(home) << home.obstacle();
  EXPECT_EQ(home.version(), 2);
  EXPECT_EQ(home.path() / "", tree.at(""));
}

TEST(GroupHome, OfAPodiumThatIsAloneIsItsGroupWhichItLeaves) {
  const FakeTree tree;
  tree.second("unit.service", own_number());
  {
    const GroupHome home(tree.proc());
    ASSERT_TRUE(home) << home.obstacle();
    EXPECT_EQ(home.path(), tree.at("unit.service"));
    // In files that nobody takes to heart a line replaces the one before.
    EXPECT_EQ(text_of(tree.at("unit.service/cgroup.subtree_control")), "+pids");
    const auto groups = groups_in(home.path());
    ASSERT_THAT(groups, SizeIs(2)) << "where podium is now, and the one that was tried";
    for (const auto& group : groups) EXPECT_EQ(text_of(group / "cgroup.procs"), "0");
  }
  EXPECT_EQ(text_of(tree.at("unit.service/cgroup.procs")), "0") << "it is back";
  EXPECT_EQ(text_of(tree.at("unit.service/cgroup.subtree_control")), "-pids");
}

TEST(GroupHome, OfAPodiumThatIsNotAloneIsBesideItsGroup) {
  const FakeTree tree;
  tree.group("user.slice", "", "memory pids");
  tree.second("user.slice/session.scope", "1\n" + own_number());
  const GroupHome home(tree.proc());
  ASSERT_TRUE(home) << home.obstacle();
  EXPECT_EQ(home.path(), tree.at("user.slice"));
  EXPECT_THAT(groups_in(tree.at("user.slice/session.scope")), IsEmpty());
}

TEST(GroupHome, IsNoneWhereNothingCanBeMade) {
  {
    const FakeTree tree;
    EXPECT_FALSE(GroupHome(tree.proc()));
  }
  {
    const FakeTree tree;
    tree.second("", "1\n" + own_number());  // as in a container, which sees nothing above its own group
    const GroupHome home(tree.proc());
    EXPECT_FALSE(home);
    EXPECT_THAT(home.obstacle(), HasSubstr("podium is not alone in it"));
  }
  {
    const FakeTree tree;
    tree.second("own", own_number());
    std::ofstream(tree.at("own/cgroup.controllers")) << "cpu pids\n";
    const GroupHome home(tree.proc());
    EXPECT_FALSE(home);
    EXPECT_THAT(home.obstacle(), HasSubstr("no memory controller"));
  }
  {
    const FakeTree tree;
    tree.mount("cgroup2", "rw", "/elsewhere");
    std::ofstream(tree.proc() / "cgroup") << "0::/own\n";
    EXPECT_FALSE(GroupHome(tree.proc()));
  }
}

TEST(GroupHome, IsTheFirstVersionsWhereTheSecondHasNoMemory) {
  const FakeTree tree;
  tree.mount("cgroup", "rw,cpuset,memory", "/containers");
  std::ofstream(tree.proc() / "cgroup") << "5:cpu:/\n4:cpuset,memory:/containers/own\n0::/\n";
  fs::create_directories(tree.at("own"));
  const GroupHome home(tree.proc());
  ASSERT_TRUE(home) << home.obstacle();
  EXPECT_EQ(home.version(), 1);
  EXPECT_EQ(home.path(), tree.at("own"));
}

TEST(GroupHome, IsClearedOfWhatKilledPodiumsLeft) {
  const FakeTree tree;
  tree.second("", "1\n", "memory");
  fs::create_directory(tree.at("podium-group-left"));
  fs::create_directory(tree.at("podium-groups"));
  const LockedFolder used = make_locked_folder(tree.at(""), "podium-group-");
  ASSERT_TRUE(GroupHome(tree.proc()));
  EXPECT_FALSE(fs::exists(tree.at("podium-group-left")));
  EXPECT_TRUE(fs::exists(tree.at("podium-groups")));
  EXPECT_TRUE(fs::exists(used.path)) << "another podium has it";
}

TEST(ControlGroup, OfVersionTwoHasItsLimits) {
  const ScratchFolder folder(geteuid());
  const ControlGroup group(2, folder.path(), 600 * mib);
  EXPECT_EQ(text_of(group.path() / "memory.max"), std::to_string(600 * mib));
  EXPECT_EQ(text_of(group.path() / "memory.swap.max"), "0");
  EXPECT_EQ(text_of(group.path() / "memory.oom.group"), "1");
  EXPECT_EQ(text_of(group.path() / "pids.max"), std::to_string(most_threads()));
  EXPECT_TRUE(group.enter());
  EXPECT_EQ(text_of(group.path() / "cgroup.procs"), "0");
}

TEST(ControlGroup, OfVersionOneHasItsLimits) {
  const ScratchFolder folder(geteuid());
  const ControlGroup group(1, folder.path(), 600 * mib);
  EXPECT_EQ(text_of(group.path() / "memory.limit_in_bytes"), std::to_string(600 * mib));
  EXPECT_EQ(text_of(group.path() / "memory.memsw.limit_in_bytes"), std::to_string(600 * mib));
}

// What the kernel ended since the machine had no memory left has not exceeded its limit.
TEST(ControlGroup, RanOutWhereTheLimitWasReachedAndAProcessEnded) {
  const ScratchFolder folder(geteuid());
  const ControlGroup second(2, folder.path(), mib), first(1, folder.path(), 64 * mib);
  EXPECT_FALSE(second.ran_out());
  EXPECT_FALSE(first.ran_out());
  const auto events = [&](int oom, int killed) {
    std::ofstream(second.path() / "memory.events")
        << "low 0\nhigh 0\nmax 9\noom " << oom << "\noom_kill " << killed << "\noom_group_kill 0\n";
    return second.ran_out();
  };
  EXPECT_FALSE(events(0, 0));
  EXPECT_FALSE(events(1, 0));
  EXPECT_FALSE(events(0, 1));
  EXPECT_TRUE(events(1, 2));
  const auto counts = [&](std::int64_t most, int killed) {
    std::ofstream(first.path() / "memory.max_usage_in_bytes") << most << "\n";
    std::ofstream(first.path() / "memory.oom_control")
        << "oom_kill_disable 0\nunder_oom 0\noom_kill " << killed << "\n";
    return first.ran_out();
  };
  EXPECT_FALSE(counts(64 * mib, 0));
  EXPECT_FALSE(counts(60 * mib, 1));
  EXPECT_TRUE(counts(64 * mib - 4096, 1));
}

TEST(ControlGroup, ThatCannotBeMadeSaysWhere) {
  try {
    const ControlGroup group(2, "/nowhere", mib);
    FAIL();
  } catch (const Error& e) {
    EXPECT_STREQ(e.what(), "/nowhere: creating a control group there failed: No such file or directory");
  }
}

Sandbox limited(std::int64_t bytes) { return {.uid = worker_uid(), .memory_bytes = bytes}; }

struct MemoryGroup : testing::Test {
  void SetUp() override {
    if (const auto why = not_granted({Means::memory}); !why.empty()) GTEST_SKIP() << why;
  }
};

TEST_F(MemoryGroup, CountsWhatNoProcessShows) {
  for (const std::string what : {"take page tables", "take in sockets", "take in files", "take"}) {
    Trespasser more({what, "96"}, limited(64 * mib));
    for (int i = 0; i < 4000 && !more.child.ran_out(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(more.child.ran_out()) << what;
    EXPECT_EQ(more.said(), "") << what;
    Trespasser less({what, "96"}, limited(200 * mib));
    EXPECT_EQ(less.wait_for_word(), "taken") << what;
    EXPECT_FALSE(less.child.ran_out()) << what;
  }
}

TEST_F(MemoryGroup, DoesNotCountWhatTheJudgeHasFilled) {
  constexpr std::size_t bytes = 100 * mib;
  const Descriptor arena(memfd_create("arena", MFD_CLOEXEC));
  ASSERT_EQ(ftruncate(arena.get(), bytes), 0);
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, arena.get(), 0);
  ASSERT_NE(at, MAP_FAILED);
  std::memset(at, 1, bytes);
  munmap(at, bytes);
  Trespasser worker({"fill shared", "100"}, limited(64 * mib), {arena.get()});
  EXPECT_EQ(worker.answer(), "done");
  EXPECT_FALSE(worker.child.ran_out());
}

TEST_F(MemoryGroup, EndsWithItsWorker) {
  Trespasser worker({"wait"}, limited(64 * mib));
  ASSERT_EQ(worker.wait_for_word(), "waits");
  std::vector<fs::path> made;
  for (const auto& group : groups_in(group_home().path()))
    if (text_of(group / "cgroup.procs") == std::to_string(worker.child.pid()) + "\n") made.push_back(group);
  ASSERT_THAT(made, SizeIs(1));
  worker.child.end();
  EXPECT_FALSE(fs::exists(made.front()));
}

TEST_F(MemoryGroup, OfAKilledPodiumIsRemovedWithWhatIsInIt) {
  int ends[2];
  ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  const pid_t killed = fork();
  if (killed == 0) {
    const ControlGroup group = group_home().make(64 * mib);
    int inherited[2];
    if (pipe2(inherited, O_CLOEXEC) != 0) _exit(1);
    const pid_t left = fork();
    if (left == 0) {
      group.enter();
      syscall(SYS_close_range, 3, ~0U, 0);  // as when it executes another program
      for (;;) pause();
    }
    const std::string said = std::to_string(left) + " " + group.path().string();
    close(inherited[1]);
    char nothing = 0;
    if (read(inherited[0], &nothing, 1) != 0) _exit(1);  // until it has entered, and holds the lock no more
    if (write(writing.get(), said.data(), said.size()) > 0) kill(getpid(), SIGKILL);
    _exit(1);
  }
  writing.reset();
  waitpid(killed, nullptr, 0);
  std::string text(512, '\0');
  const ssize_t got = read(reading.get(), text.data(), text.size());
  ASSERT_GT(got, 0);
  text.resize(static_cast<std::size_t>(got));
  const pid_t left = std::atoi(text.c_str());
  const fs::path group = text.substr(text.find(' ') + 1);
  ASSERT_TRUE(fs::exists(group));
  const GroupHome next;
  EXPECT_FALSE(fs::exists(group));
  const auto ended = [left] {
    const char state = stat_of(left).state;
    return state == 0 || state == 'X' || state == 'Z';
  };
  for (int look = 0; look < 2000 && !ended(); ++look)  // it leaves its group a little before
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(ended());
}

}  // namespace
}  // namespace podium::sandbox
