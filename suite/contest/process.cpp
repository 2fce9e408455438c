// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/contest/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/base/user.hpp"
#include "suite/contest/system_calls.hpp"

namespace podium::contest {
namespace {

constexpr int first_descriptor = 3;
constexpr rlim_t most_descriptors = 1024;
constexpr rlim_t most_processes = 4096;  // threads of a uid of its own; a many-core CPU contestant needs many

// What a contestant may need to find its libraries and its device; everything else stays with podium.
constexpr std::array kept_variables = {"PATH",
                                       "LD_LIBRARY_PATH",
                                       "CUDA_VISIBLE_DEVICES",
                                       "HIP_VISIBLE_DEVICES",
                                       "ROCR_VISIBLE_DEVICES",
                                       "CUDA_MODULE_LOADING",
                                       "OMP_NUM_THREADS",
                                       "LANG",
                                       "PODIUM_HOST_WORKERS",
                                       "PODIUM_HOST_REVERSE",
                                       "ASAN_OPTIONS",
                                       "UBSAN_OPTIONS",
                                       "LSAN_OPTIONS"};

// The groups that own the device nodes of AMD GPUs: a worker under another uid keeps them.
std::vector<gid_t> device_groups() {
  std::vector<gid_t> groups;
  for (const char* node : {"/dev/kfd", "/dev/dri/renderD128"})
    if (struct stat status{}; stat(node, &status) == 0 && status.st_gid != 0) groups.push_back(status.st_gid);
  return groups;
}

void limit(int resource, rlim_t most) {
  rlimit now{};
  getrlimit(static_cast<__rlimit_resource_t>(resource), &now);
  now.rlim_max = std::min(now.rlim_max, most);
  now.rlim_cur = std::min(now.rlim_cur, now.rlim_max);
  setrlimit(static_cast<__rlimit_resource_t>(resource), &now);
}

bool confine(const Sandbox& sandbox, const std::vector<gid_t>& groups) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, static_cast<rlim_t>(sandbox.file_bytes));
  limit(RLIMIT_NOFILE, most_descriptors);
  if (chdir("/") != 0) return false;
  if (sandbox.uid) {
    limit(RLIMIT_NPROC, most_processes);  // of that uid alone
    const auto gid = static_cast<gid_t>(*sandbox.uid);
    if (setgroups(groups.size(), groups.data()) != 0) return false;
    if (setresgid(gid, gid, gid) != 0 || setresuid(*sandbox.uid, *sandbox.uid, *sandbox.uid) != 0)
      return false;
  }
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && stay_in_group();
}

// Moves `descriptors` to 3, 4, ... and closes all others but the standard three.
bool arrange(std::vector<int> descriptors) {
  const int above = first_descriptor + static_cast<int>(descriptors.size());
  for (int& fd : descriptors)
    if ((fd = fcntl(fd, F_DUPFD, above + 16)) < 0) return false;
  for (std::size_t i = 0; i < descriptors.size(); ++i)
    if (dup2(descriptors[i], first_descriptor + static_cast<int>(i)) < 0) return false;
  return syscall(SYS_close_range, above, ~0U, 0) == 0;
}

[[noreturn]] void become(const Start& start, int program, pid_t parent, const std::vector<gid_t>& groups,
                         char* const* argv, char* const* environment) {
  setsid();
  signal(SIGINT, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  if (start.output >= 0 && (dup2(start.output, STDOUT_FILENO) < 0 || dup2(start.output, STDERR_FILENO) < 0))
    _exit(127);
  std::vector<int> descriptors = start.descriptors;
  descriptors.push_back(program);  // its path may lie where another uid cannot look: executed by descriptor
  const int program_at = first_descriptor + static_cast<int>(start.descriptors.size());
  if (!arrange(std::move(descriptors))) _exit(127);
  fcntl(program_at, F_SETFD, FD_CLOEXEC);
  if (start.sandbox && !confine(*start.sandbox, groups)) _exit(126);
  // After the change of uid, which clears it. A judge is asked, since it ends what its worker has started.
  prctl(PR_SET_PDEATHSIG, start.sandbox ? SIGKILL : SIGTERM);
  if (getppid() != parent) _exit(125);
  syscall(SYS_execveat, program_at, "", argv, environment, AT_EMPTY_PATH);
  _exit(127);
}

std::string what_became(const siginfo_t& info) {
  if (info.si_code == CLD_EXITED) return fmt::format("exited with status {}", info.si_status);
  const char* name = sigabbrev_np(info.si_status);
  return fmt::format("crashed: SIG{}", name ? name : std::to_string(info.si_status));
}

struct Pages {
  std::int64_t all = 0, resident = 0, shared = 0;
};

Pages pages_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/statm", pid));
  Pages pages;
  file >> pages.all >> pages.resident >> pages.shared;
  return pages;
}

}  // namespace

Child::Child(const Start& start) {
  const Descriptor program(open(start.program.c_str(), O_RDONLY | O_CLOEXEC));
  if (!program)
    throw Error(fmt::format("{} cannot be started: {}; build it first", start.program.string(),
                            std::strerror(errno)));
  std::vector<std::string> words{start.program.string()};
  words.insert(words.end(), start.arguments.begin(), start.arguments.end());
  std::vector<std::string> variables;
  for (const char* name : kept_variables)
    if (const char* value = std::getenv(name)) variables.push_back(fmt::format("{}={}", name, value));
  const auto pointers = [](std::vector<std::string>& texts) {
    std::vector<char*> all;
    for (auto& text : texts) all.push_back(text.data());
    all.push_back(nullptr);
    return all;
  };
  const auto argv = pointers(words);
  const auto environment = start.sandbox ? pointers(variables) : std::vector<char*>{};
  const auto groups = device_groups();

  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0)
    become(start, program.get(), parent, groups, argv.data(), start.sandbox ? environment.data() : environ);
  if (pid_ < 0) throw Error(fmt::format("no process could be started: {}", std::strerror(errno)));
  if (start.sandbox && start.sandbox->uid) uid_ = *start.sandbox->uid;
  pidfd_.reset(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), uid_(other.uid_), pidfd_(std::move(other.pidfd_)) {}

Child& Child::operator=(Child&& other) noexcept {
  if (this != &other) {
    end();
    pid_ = std::exchange(other.pid_, -1);
    uid_ = other.uid_;
    pidfd_ = std::move(other.pidfd_);
  }
  return *this;
}

Child::~Child() { end(); }

std::int64_t Child::resident() const { return pages_of(pid_).resident * sysconf(_SC_PAGESIZE); }

std::int64_t Child::own_memory() const {
  const Pages pages = pages_of(pid_);
  return (pages.resident - pages.shared) * sysconf(_SC_PAGESIZE);
}

std::optional<std::string> Child::ended(int milliseconds) {
  if (pid_ <= 0) return std::nullopt;
  pollfd p{pidfd_.get(), POLLIN, 0};
  if (poll(&p, 1, milliseconds) <= 0) return std::nullopt;
  siginfo_t info{};
  // It stays a zombie until end(): its number cannot be given to another process meanwhile.
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
    return std::nullopt;
  return what_became(info);
}

void Child::end() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  kill_all_of(pid_, uid_);
  waitpid(pid_, nullptr, 0);
  pid_ = -1;
  pidfd_.reset();
}

}  // namespace podium::contest
