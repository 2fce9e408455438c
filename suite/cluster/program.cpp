// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/cluster/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>

#include "suite/base/error.hpp"

namespace podium::cluster {
namespace {

constexpr int not_installed = 127;

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> all;
  for (char** inherited = environ; *inherited; ++inherited) {
    const std::string_view text = *inherited;
    if (!variables.contains(std::string(text.substr(0, text.find('='))))) all.emplace_back(text);
  }
  for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
  return all;
}

int status_of(pid_t pid) {
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// In the child. `blocked`: the signals that its whole tree is not to get.
[[noreturn]] void become(std::vector<std::string> arguments, std::vector<std::string> environment, int out,
                         int err, const sigset_t* blocked, pid_t parent) {
  ::setpgid(0, 0);  // a terminal's Ctrl-C comes by way of this process alone
  const Descriptor nothing(::open("/dev/null", O_RDONLY));
  ::dup2(nothing.get(), STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, blocked ? blocked : &none, nullptr);
  ::signal(SIGINT, SIG_DFL);  // a shell that is not interactive has it ignored by what runs in its background
  ::prctl(PR_SET_PDEATHSIG, blocked ? SIGINT : SIGKILL);
  if (::getppid() != parent) ::_exit(not_installed);
  const auto words = pointers_to(arguments), variables = pointers_to(environment);
  ::execvpe(words[0], words.data(), variables.data());
  ::_exit(not_installed);
}

Descriptor watch(pid_t pid) { return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))); }

[[noreturn]] void refuse_start(const std::string& program) {
  throw Error(fmt::format("{} could not be started: {}", program, std::strerror(errno)));
}

}  // namespace

std::filesystem::path own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

Said run_tool(const std::vector<std::string>& arguments, int seconds) {
  std::array<std::array<int, 2>, 2> pipes{};
  if (::pipe2(pipes[0].data(), O_CLOEXEC) != 0) refuse_start(arguments[0]);
  const Descriptor out(pipes[0][0]);
  Descriptor out_end(pipes[0][1]);
  if (::pipe2(pipes[1].data(), O_CLOEXEC) != 0) refuse_start(arguments[0]);
  const Descriptor err(pipes[1][0]);
  Descriptor err_end(pipes[1][1]);
  const pid_t parent = ::getpid(), pid = ::fork();
  if (pid < 0) refuse_start(arguments[0]);
  if (pid == 0) become(arguments, environment_with({}), out_end.get(), err_end.get(), nullptr, parent);
  out_end.reset();
  err_end.reset();
  Said said;
  std::array<pollfd, 2> ends{{{out.get(), POLLIN, 0}, {err.get(), POLLIN, 0}}};
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) break;
    if (::poll(ends.data(), ends.size(), static_cast<int>(left.count())) < 0 && errno != EINTR) break;
    for (pollfd& one : ends) {
      if (one.fd < 0 || one.revents == 0) continue;
      std::array<char, 4096> block{};
      const auto count = ::read(one.fd, block.data(), block.size());
      if (count > 0)
        (&one == ends.data() ? said.out : said.err).append(block.data(), static_cast<std::size_t>(count));
      else if (count == 0 || errno != EINTR)
        one.fd = -1;
    }
  }
  if (ends[0].fd >= 0 || ends[1].fd >= 0) {
    ::kill(-pid, SIGKILL);
    said.err += fmt::format("{} did not answer within {} s\n", arguments[0], seconds);
  }
  said.status = status_of(pid);
  if (said.status == not_installed && said.err.empty()) said.err = arguments[0] + " is not installed\n";
  return said;
}

std::string last_sentence(const std::string& text) {
  std::string last;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (const std::string line = text.substr(begin, end - begin);
        line.find_first_not_of(" \t\r") != line.npos)
      last = line;
    begin = end + 1;
  }
  const std::size_t colon = last.find(": error: ");
  return colon == last.npos ? last : last.substr(colon + std::strlen(": error: "));
}

Program::Program(const std::vector<std::string>& arguments,
                 const std::map<std::string, std::string>& variables, int output) {
  sigset_t blocked;
  sigemptyset(&blocked);
  for (const int signal : {SIGTERM, SIGUSR1, SIGHUP}) sigaddset(&blocked, signal);
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) refuse_start(arguments[0]);
  if (pid_ == 0) become(arguments, environment_with(variables), output, output, &blocked, parent);
  watched_ = watch(pid_);
}

Program::~Program() {
  kill();
  if (!status_) status_of(pid_);
}

std::optional<int> Program::ended() {
  pollfd end{watched_.get(), POLLIN, 0};
  if (!status_ && ::poll(&end, 1, 0) > 0) status_ = status_of(pid_);
  return status_;
}

void Program::interrupt() {
  if (!status_ && !interrupted_) ::kill(pid_, SIGINT);
  interrupted_ = true;
}

void Program::kill() {
  if (!status_) ::kill(-pid_, SIGKILL);
}

}  // namespace podium::cluster
