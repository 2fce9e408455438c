// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/sandbox/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "suite/base/error.hpp"
#include "suite/base/user.hpp"
#include "suite/sandbox/confine.hpp"

namespace podium::sandbox {
namespace {

constexpr int first_descriptor = 3;

// What a contestant may need to find its libraries and its device; everything else stays with podium.
constexpr std::array kept_variables = {"PATH",
                                       "LD_LIBRARY_PATH",
                                       "CUDA_VISIBLE_DEVICES",
                                       "CUDA_DEVICE_ORDER",
                                       "HIP_VISIBLE_DEVICES",
                                       "ROCR_VISIBLE_DEVICES",
                                       "CUDA_MODULE_LOADING",
                                       "OMP_NUM_THREADS",
                                       "OMP_PLACES",
                                       "OMP_PROC_BIND",
                                       "LANG",
                                       "PODIUM_HOST_WORKERS",
                                       "PODIUM_HOST_REVERSE",
                                       "ASAN_OPTIONS",
                                       "UBSAN_OPTIONS",
                                       "LSAN_OPTIONS"};

// Moves `descriptors` to 3, 4, ... and closes all others but the standard three.
bool arrange(std::vector<int> descriptors) {
  const int above = first_descriptor + static_cast<int>(descriptors.size());
  for (int& fd : descriptors)
    if ((fd = fcntl(fd, F_DUPFD, above + 16)) < 0) return false;
  for (std::size_t i = 0; i < descriptors.size(); ++i)
    if (dup2(descriptors[i], first_descriptor + static_cast<int>(i)) < 0) return false;
  return syscall(SYS_close_range, above, ~0U, 0) == 0;
}

// What went wrong in the child before it became another program.
struct Trouble {
  const char* what;  // a literal, at the same address in parent and child
  int error;
};

[[noreturn]] void give_up(int report, const char* what) {
  const Trouble trouble{what, errno};
  _exit(write(report, &trouble, sizeof trouble) == sizeof trouble ? 126 : 127);
}

[[noreturn]] void become(const Start& start, int program, int report, pid_t parent, Confinement* confinement,
                         const ControlGroup& group, char* const* argv, char* const* environment) {
  if (group && !group.enter()) give_up(report, "its control group");
  setsid();
  signal(SIGINT, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  if (start.output >= 0 && (dup2(start.output, STDOUT_FILENO) < 0 || dup2(start.output, STDERR_FILENO) < 0))
    give_up(report, "its output");
  std::vector<int> descriptors = start.descriptors;
  descriptors.push_back(program);  // its path may lie where another uid cannot look: executed by descriptor
  descriptors.push_back(report);
  const int program_at = first_descriptor + static_cast<int>(start.descriptors.size());
  if (!arrange(std::move(descriptors))) give_up(report, "its descriptors");
  report = program_at + 1;
  fcntl(program_at, F_SETFD, FD_CLOEXEC);
  fcntl(report, F_SETFD, FD_CLOEXEC);
  if (confinement) {
    // No terminal's: what a user types is none of a contestant's business.
    const Descriptor nothing(open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (!nothing || dup2(nothing.get(), STDIN_FILENO) < 0) give_up(report, "its input");
    if (const char* failed = confinement->apply()) give_up(report, failed);
  }
  // After the change of uid, which clears it. A judge is asked, since it ends what its worker has started.
  prctl(PR_SET_PDEATHSIG, start.sandbox ? SIGKILL : SIGTERM);
  if (getppid() != parent) _exit(125);
  syscall(SYS_execveat, program_at, "", argv, environment, AT_EMPTY_PATH);
  give_up(report, "the program");
}

// Descendants of a killed worker come to podium, which reaps them: none is left, not even as a number that
// another worker's user id would have to avoid.
void reap_group(pid_t leader) {
  constexpr auto patience = std::chrono::seconds(2);
  const auto end = std::chrono::steady_clock::now() + patience;
  for (siginfo_t info{}; waitid(P_PGID, static_cast<id_t>(leader), &info, WEXITED | WNOHANG) == 0;
       info = {}) {
    if (info.si_pid != 0) continue;
    if (std::chrono::steady_clock::now() > end) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// The same for a worker that no filter kept in its group.
void reap_user(uid_t uid) {
  constexpr int looks = 200;  // a millisecond apart
  for (int i = 0; i < looks; ++i) {
    const auto left = processes_of_user(uid);
    if (left.empty()) return;
    for (const pid_t pid : left) waitpid(pid, nullptr, WNOHANG);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

bool has_variable(const std::vector<std::string>& variables, std::string_view name) {
  return std::ranges::any_of(variables, [&](const std::string& text) {
    return text.starts_with(name) && text.substr(name.size()).starts_with('=');
  });
}

// Whether a variable chooses among all GPUs: a worker that can open one alone counts them otherwise. A part
// of a GPU is named, and is still to be chosen.
bool counts_devices(std::string_view name, std::string_view value) {
  return name.ends_with("_VISIBLE_DEVICES") && !value.starts_with("MIG-");
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (auto& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

}  // namespace

std::string name_of(const Killed& end) {
  const char* name = sigabbrev_np(end.signal);
  return fmt::format("SIG{}", name ? name : std::to_string(end.signal));
}

std::string words_of(const End& end) {
  if (const auto* exited = std::get_if<Exited>(&end))
    return fmt::format("exited with status {}", exited->status);
  return "crashed: " + name_of(std::get<Killed>(end));
}

Child::Child(const Start& start) {
  const Descriptor program(open(start.program.c_str(), O_RDONLY | O_CLOEXEC));
  if (!program)
    throw Error(fmt::format("{} cannot be started: {}; build it first", start.program.string(),
                            std::strerror(errno)));
  std::vector<std::string> words{start.program.string()};
  words.insert(words.end(), start.arguments.begin(), start.arguments.end());
  std::unique_ptr<Confinement> confinement;
  std::vector<std::string> variables = start.environment;
  if (start.sandbox) {
    const Sandbox& sandbox = *start.sandbox;
    const bool own_view = sandbox.means.has(Means::mounts);
    if (sandbox.uid) uid_ = *sandbox.uid;
    leaves_files_ = uid_ != 0 && !own_view && !sandbox.means.has(Means::landlock);
    leaves_group_ = !sandbox.means.has(Means::seccomp);
    std::string folder = sandbox.folder;
    if (folder.empty() && !own_view) {
      scratch_ = ScratchFolder(sandbox.uid.value_or(geteuid()));
      folder = scratch_.path();
    }
    confinement = std::make_unique<Confinement>(
        sandbox, std::filesystem::absolute(start.program).parent_path(), folder);
    if (folder.empty()) folder = "/tmp";
    for (const char* name : kept_variables)
      if (const char* value = std::getenv(name);
          value && !has_variable(variables, name) && !(sandbox.hides() && counts_devices(name, value)))
        variables.push_back(fmt::format("{}={}", name, value));
    if (sandbox.means.has(Means::memory) && sandbox.memory_bytes > 0 &&
        keeps_groups(sandbox.means, sandbox.uid.has_value()))
      group_ = group_home().make(sandbox.memory_bytes);
    // Where just-in-time compilers put what they have made: for this worker alone.
    for (const char* name : {"HOME", "TMPDIR"})
      if (!has_variable(variables, name)) variables.push_back(fmt::format("{}={}", name, folder));
    prctl(PR_SET_CHILD_SUBREAPER, 1);
  } else {
    for (char** inherited = environ; *inherited; ++inherited)
      if (const std::string_view text = *inherited; !has_variable(variables, text.substr(0, text.find('='))))
        variables.emplace_back(text);
  }
  const auto argv = pointers(words);
  const auto environment = pointers(variables);

  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0)
    throw Error(fmt::format("pipe2 failed: {}; no process can be started", std::strerror(errno)));
  const Descriptor reading(report[0]);
  Descriptor writing(report[1]);
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ == 0)
    become(start, program.get(), writing.get(), parent, confinement.get(), group_, argv.data(),
           environment.data());
  if (pid_ < 0) throw Error(fmt::format("fork failed: {}; no process can be started", std::strerror(errno)));
  writing.reset();
  pidfd_.reset(static_cast<int>(syscall(SYS_pidfd_open, pid_, 0)));
  tree_ = ProcessTree(pid_, uid_, start.sandbox.has_value());
  Trouble trouble{};
  if (read(reading.get(), &trouble, sizeof trouble) == sizeof trouble) {
    end();
    throw Error(fmt::format("{} could not be started: {}: {}", start.program.filename().string(),
                            trouble.what, std::strerror(trouble.error)));
  }
}

Child::Child(Child&& other) noexcept { *this = std::move(other); }

Child& Child::operator=(Child&& other) noexcept {
  if (this != &other) {
    end();
    pid_ = std::exchange(other.pid_, -1);
    uid_ = other.uid_;
    leaves_files_ = other.leaves_files_;
    leaves_group_ = other.leaves_group_;
    pidfd_ = std::move(other.pidfd_);
    tree_ = std::move(other.tree_);
    group_ = std::move(other.group_);
    scratch_ = std::move(other.scratch_);
  }
  return *this;
}

Child::~Child() { end(); }

// What processes share is counted for each of them, until that makes a difference.
bool Child::exceeds(std::int64_t most, const Usage& usage) const {
  if (group_) return group_.ran_out();
  return usage.bytes > most && bytes().value_or(usage.bytes) > most;
}

std::optional<End> Child::ended(int milliseconds) {
  if (pid_ <= 0) return std::nullopt;
  pollfd p{pidfd_.get(), POLLIN, 0};
  if (poll(&p, 1, milliseconds) <= 0) return std::nullopt;
  siginfo_t info{};
  // It stays a zombie until end(): its number cannot be given to another process meanwhile.
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
    return std::nullopt;
  if (info.si_code == CLD_EXITED) return Exited{info.si_status};
  return Killed{info.si_status};
}

void Child::end() {
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  kill_all_of(pid_, uid_);
  waitpid(pid_, nullptr, 0);
  reap_group(pid_);
  if (leaves_group_ && uid_ != 0) reap_user(uid_);
  group_.remove();
  if (leaves_files_) remove_files_of(uid_);
  scratch_.remove();
  pid_ = -1;
  pidfd_.reset();
}

}  // namespace podium::sandbox
