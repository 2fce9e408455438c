// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Every rule of the sandbox by itself: without it the forbidden thing can be done, with it alone it cannot.
#include "suite/contest/sandbox.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <seccomp.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "suite/contest/sandbox_calls.hpp"
#include "suite/contest/sandbox_landlock.hpp"
#include "tests/contest/sandbox_fixture.hpp"

namespace podium::contest {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

// What a trespasser's argument stands for: the test knows it only when it runs.
enum class Target { nothing, port, abstract_socket, victim, folder, file, segment, queue };

struct Trial {
  const char* deed;
  Target target;
  Means means;       // that alone prevents it
  int landlock = 1;  // the version that it takes
};
void PrintTo(const Trial& trial, std::ostream* out) { *out << trial.deed << ", " << name_of(trial.means); }

std::string name_of(const testing::TestParamInfo<Trial>& info) {
  std::string name = std::string(info.param.deed) + "_" + std::string(name_of(info.param.means));
  for (char& c : name)
    if (c == ' ') c = '_';
  return name;
}

// Everything that trespassers may want to reach.
class World {
 public:
  World() : socket_(socket(AF_INET, SOCK_STREAM, 0)), abstract_(socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof at;
    if (bind(socket_.get(), reinterpret_cast<sockaddr*>(&at), length) != 0 || listen(socket_.get(), 8) != 0 ||
        getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&at), &length) != 0)
      throw std::runtime_error("the test's own port cannot be opened");
    port_ = ntohs(at.sin_port);
    name_ = "podium-test-" + std::to_string(getpid());
    sockaddr_un un{};
    un.sun_family = AF_UNIX;
    std::memcpy(un.sun_path + 1, name_.data(), name_.size());
    if (bind(abstract_.get(), reinterpret_cast<sockaddr*>(&un),
             static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name_.size())) != 0 ||
        listen(abstract_.get(), 8) != 0)
      throw std::runtime_error("the test's own socket cannot be opened");
    // Open to every user, as no folder of results is: the file system alone must keep a worker out. Beside
    // the test's program, since /tmp is another for the worker.
    folder_ = fs::read_symlink("/proc/self/exe").parent_path() / name_;
    fs::create_directories(folder_);
    chmod(folder_.c_str(), 0777);
    std::ofstream(folder_ / "file") << "mine";
    chmod((folder_ / "file").c_str(), 0666);
    segment_ = shmget(getpid(), 4096, IPC_CREAT | 0666);
    queue_ = msgget(getpid(), IPC_CREAT | 0666);
  }
  ~World() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    if (segment_ >= 0) shmctl(segment_, IPC_RMID, nullptr);
    if (queue_ >= 0) msgctl(queue_, IPC_RMID, nullptr);
  }

  std::string name(Target target, pid_t victim) const {
    switch (target) {
      case Target::port:
        return std::to_string(port_);
      case Target::abstract_socket:
        return name_;
      case Target::victim:
        return std::to_string(victim);
      case Target::folder:
        return folder_ / "new";
      case Target::file:
        return folder_ / "file";
      case Target::segment:
        return std::to_string(getpid());
      case Target::queue:
        return std::to_string(queue_);
      case Target::nothing:
        break;
    }
    return "";
  }
  const fs::path& folder() const { return folder_; }

 private:
  Descriptor socket_, abstract_;
  int port_ = 0, segment_ = -1, queue_ = -1;
  std::string name_;
  fs::path folder_;
};

// Whether this process runs under a seccomp filter, as in a container.
bool is_filtered() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line == "Seccomp:\t2") return true;
  return false;
}

struct Rule : testing::TestWithParam<Trial> {};

TEST_P(Rule, AloneKeepsAWorkerFromIt) {
  const Trial& trial = GetParam();
  const Means means = trial.means;
  std::vector<Means> needed{means};
  if (means == Means::processes) needed.push_back(Means::mounts);
  if (const std::string why = not_granted(needed); !why.empty()) GTEST_SKIP() << why;
  if (means == Means::landlock && landlock_version() < trial.landlock)
    GTEST_SKIP() << "takes version " << trial.landlock << " of Landlock, this kernel has "
                 << landlock_version();
  const World world;
  // The user of both, so that no rights of another user prevent it first; podium's own, if it is no root.
  const std::optional<uid_t> user = worker_uid();
  const auto tried = [&](bool by_another, const MeansSet& set) {
    Trespasser victim({"wait"}, Sandbox{.uid = user, .means = {}});
    EXPECT_EQ(victim.wait_for_word(), "waits");
    Trespasser trespasser({trial.deed, world.name(trial.target, victim.child.pid())},
                          Sandbox{.uid = by_another ? worker_uid() : user, .means = set});
    const std::string answer = trespasser.answer();
    EXPECT_FALSE(victim.child.ended(0));
    return answer;
  };
  const std::string without = tried(false, {});
  if (without == "EPERM" && is_filtered())
    GTEST_SKIP() << "a filter that the test itself runs under, a container's, refuses it already";
  EXPECT_EQ(without, "done") << "the attempt itself is at fault";
  fs::remove(world.folder() / "new");
  EXPECT_THAT(tried(means == Means::uid, only(needed)),
              AnyOf("EPERM", "EACCES", "EROFS", "ENOENT", "EINVAL", "ECONNREFUSED", "ENETUNREACH", "ENOSYS"));
  EXPECT_FALSE(fs::exists(world.folder() / "new"));
}

constexpr Trial trials[] = {
    {"connect", Target::port, Means::seccomp},
    {"connect", Target::port, Means::network},
    {"connect", Target::port, Means::landlock, 4},
    {"netlink", Target::nothing, Means::seccomp},
    {"abstract", Target::abstract_socket, Means::network},
    {"abstract", Target::abstract_socket, Means::landlock, 6},
    {"memory", Target::victim, Means::uid},
    {"memory", Target::victim, Means::landlock},
    {"trace", Target::victim, Means::uid},
    {"trace", Target::victim, Means::seccomp},
    {"trace", Target::victim, Means::landlock},
    {"copy", Target::victim, Means::uid},
    {"copy", Target::victim, Means::seccomp},
    {"copy", Target::victim, Means::landlock},
    {"descriptor", Target::victim, Means::uid},
    {"descriptor", Target::victim, Means::seccomp},
    {"descriptor", Target::victim, Means::landlock},
    {"signal", Target::victim, Means::uid},
    {"signal", Target::victim, Means::landlock, 6},
    {"limit", Target::victim, Means::uid},
    {"limit", Target::victim, Means::seccomp},
    {"create", Target::folder, Means::mounts},
    {"create", Target::folder, Means::landlock},
    {"overwrite", Target::file, Means::mounts},
    {"overwrite", Target::file, Means::landlock},
    {"session", Target::nothing, Means::seccomp},
    {"clone3", Target::nothing, Means::seccomp},
    {"brother", Target::nothing, Means::seccomp},
    {"give_up", Target::nothing, Means::seccomp},
    {"tree", Target::nothing, Means::seccomp},
    {"share", Target::nothing, Means::seccomp},
    {"segment", Target::segment, Means::seccomp},
    {"segment", Target::segment, Means::ipc},
    {"queue", Target::queue, Means::seccomp},
    {"queue", Target::queue, Means::ipc},
};
INSTANTIATE_TEST_SUITE_P(Sandbox, Rule, testing::ValuesIn(trials), name_of);

TEST(SandboxRule, ProcessesOfOthersAreHidden) {
  if (const auto why = not_granted({Means::processes, Means::uid}); !why.empty()) GTEST_SKIP() << why;
  const std::vector<std::string> look{"see", std::to_string(getpid())};
  EXPECT_EQ(answer(look, Sandbox{.uid = worker_uid(), .means = only({Means::mounts})}), "done");
  EXPECT_EQ(answer(look, Sandbox{.uid = worker_uid(), .means = only({Means::mounts, Means::processes})}),
            "ENOENT");
}

// Without a user of its own and without Landlock, a filter remains.
TEST(SandboxRule, SignalsStayAtHomeBySystemCall) {
  if (const auto why = not_granted({Means::seccomp}); !why.empty()) GTEST_SKIP() << why;
  Trespasser victim({"wait"}, Sandbox{.means = {}});  // podium's user's, which no end of another ends
  ASSERT_EQ(victim.wait_for_word(), "waits");
  const std::vector<std::string> words{"signal", std::to_string(victim.child.pid())};
  EXPECT_EQ(answer(words, Sandbox{.means = {}}), "done");
  EXPECT_EQ(answer(words, Sandbox{.means = only({Means::seccomp})}), "EPERM");
  EXPECT_EQ(answer({"live", "TMPDIR"}, Sandbox{.means = only({Means::seccomp})}), "done");
}

// Every refused call says EPERM whatever its arguments; the kernel itself says so of some, for want of
// rights.
TEST(SandboxRule, EveryRefusedCallIsRefused) {
  if (const auto why = not_granted({Means::seccomp}); !why.empty()) GTEST_SKIP() << why;
  const auto user = worker_uid();
  int shown = 0;
  for (const auto& rule : CallFilter::rules()) {
    const int number = seccomp_syscall_resolve_name(rule.call);
    ASSERT_GT(number, 0) << rule.call;
    ASSERT_GT(std::string(rule.reason).size(), 10u) << rule.call;
    const std::vector<std::string> words{"call", std::to_string(number)};
    EXPECT_EQ(answer(words, Sandbox{.uid = user, .means = only({Means::seccomp})}), "EPERM") << rule.call;
    shown += answer(words, Sandbox{.uid = user, .means = {}}) != "EPERM";
  }
  EXPECT_GE(shown, static_cast<int>(CallFilter::rules().size()) / 2) << "the filter is not what refuses";
}

TEST(SandboxRule, TheHonestFindAllTheyNeed) {
  const Sandbox whole{.uid = worker_uid()};
  EXPECT_EQ(answer({"live", "TMPDIR"}, whole), "done");
  EXPECT_EQ(answer({"live", "HOME"}, whole), "done");
  EXPECT_EQ(answer({"unix"}, whole), "done");
  EXPECT_EQ(answer({"read", "/usr/lib/os-release"}, whole), "done");
  MeansSet without_view = granted();
  without_view.set(Means::mounts, false);
  without_view.set(Means::processes, false);
  EXPECT_EQ(answer({"live", "TMPDIR"}, Sandbox{.uid = worker_uid(), .means = without_view}), "done");
}

// A machine that grants nothing could show nothing: the tests above would all be skipped.
TEST(SandboxRule, SomethingIsGrantedHere) {
  int held = 0;
  for (const Grant& grant : grants()) {
    held += grant.held;
    EXPECT_TRUE(grant.held || !grant.detail.empty()) << name_of(grant.means) << " gives no reason";
    if (!grant.held) std::printf("not granted: %s: %s\n", name_of(grant.means).data(), grant.detail.c_str());
  }
  EXPECT_GE(held, 1);
}

TEST(SandboxRule, LackingNamesWhatALeaderboardNeeds) {
  std::vector<Grant> all;
  for (const Means means : all_means) all.push_back({means, true, ""});
  EXPECT_EQ(lacking(all), "");
  const auto drop = [&](Means means) {
    all[static_cast<std::size_t>(means)] = {means, false, "for a reason"};
  };
  drop(Means::landlock);
  drop(Means::network);
  EXPECT_EQ(lacking(all), "");
  drop(Means::mounts);
  EXPECT_THAT(lacking(all), HasSubstr("read-only files"));
  drop(Means::uid);
  drop(Means::seccomp);
  EXPECT_THAT(lacking(all), HasSubstr("user id of the worker's own (for a reason), seccomp (for a reason)"));
  EXPECT_FALSE(attested(only({Means::uid})));
  EXPECT_FALSE(attested(only({Means::seccomp})));
  EXPECT_TRUE(attested(only({Means::uid, Means::seccomp})));
}

// As the folder of the running run is for its workers.
TEST(SandboxMounts, ACoveredFolderIsEmpty) {
  if (const auto lacks = not_granted({Means::mounts}); !lacks.empty()) GTEST_SKIP() << lacks;
  const World world;
  Sandbox sandbox{.means = only({Means::mounts})};
  const std::string file = world.folder() / "file";
  EXPECT_EQ(answer({"read", file}, sandbox), "done");
  sandbox.covered = {world.folder().string()};
  EXPECT_THAT(answer({"read", file}, sandbox), AnyOf(HasSubstr("ENOENT"), HasSubstr("EACCES")));
  sandbox.covered = {"/no/such/folder"};
  EXPECT_EQ(answer({"read", file}, sandbox), "done");
}

}  // namespace
}  // namespace podium::contest
