// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// fork, exec and a pipe. The child stays in this process group, so that Ctrl-C reaches it as well.
#include "suite/build/subprocess.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "suite/base/descriptor.hpp"
#include "suite/base/error.hpp"

extern char** environ;

namespace podium::build {
namespace {

std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    if (!variables.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (auto& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

void read_lines(int descriptor, const std::function<void(const std::string&)>& line) {
  std::string rest;
  for (char block[4096];;) {
    const auto count = ::read(descriptor, block, sizeof block);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    rest.append(block, std::size_t(count));
    for (auto end = rest.find('\n'); end != std::string::npos; end = rest.find('\n')) {
      line(rest.substr(0, end));
      rest.erase(0, end + 1);
    }
  }
  if (!rest.empty()) line(rest);
}

// Whatever this process ignores or blocks, its children heed.
void take_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD}) ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

// Reaps the child however its output's reader ends.
struct Waiter {
  pid_t pid;
  int status = 0;
  bool done = false;
  int wait() {
    while (!done && ::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    done = true;
    return status;
  }
  ~Waiter() {
    if (!done) ::kill(pid, SIGTERM);
    wait();
  }
};

}  // namespace

int run_program(const std::vector<std::string>& arguments,
                const std::map<std::string, std::string>& variables,
                const std::function<void(const std::string&)>& line) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(fmt::format("no pipe to be had: {}", std::strerror(errno)));
  Descriptor reading(ends[0]), writing(ends[1]);
  const Descriptor nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  auto argument_texts = arguments;
  auto variable_texts = environment_with(variables);
  const auto argument_pointers = pointers(argument_texts);
  const auto variable_pointers = pointers(variable_texts);

  const auto parent = ::getpid();
  const auto pid = ::fork();
  if (pid < 0) throw Error(fmt::format("{} cannot be started: {}", arguments[0], std::strerror(errno)));
  if (pid == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(127);
    take_signals();
    ::dup2(nothing.get(), 0);
    ::dup2(writing.get(), 1);
    ::dup2(writing.get(), 2);
    ::execve(argument_pointers[0], argument_pointers.data(), variable_pointers.data());
    ::_exit(127);
  }
  Waiter child{pid};
  writing.reset();
  read_lines(reading.get(), line);
  const int status = child.wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    throw Error(fmt::format("{} cannot be started", arguments[0]));
  return status;
}

}  // namespace podium::build
