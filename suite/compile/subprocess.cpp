// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/compile/subprocess.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "suite/base/descriptor.hpp"
#include "suite/base/error.hpp"
#include "suite/sandbox/process.hpp"

namespace podium::compile {
namespace {

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

// Without reaping it, which the child's owner does.
int status_of(pid_t child) {
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  constexpr int by_signal = 128;  // as a shell says it
  return info.si_code == CLD_EXITED ? info.si_status : by_signal + info.si_status;
}

}  // namespace

int run_program(const std::vector<std::string>& arguments,
                const std::map<std::string, std::string>& variables,
                const std::function<void(const std::string&)>& line) {
  const std::string& program = arguments.at(0);
  if (::access(program.c_str(), X_OK) != 0)
    throw Error(fmt::format("{} cannot be started: {}", program, std::strerror(errno)));
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw Error(fmt::format("pipe2 failed: {}", std::strerror(errno)));
  const Descriptor reading(ends[0]);
  Descriptor writing(ends[1]);
  // By a shell, since the program may be a script: a child executes an open file, which a script's
  // interpreter could not find.
  sandbox::Start start{.program = "/bin/sh",
                       .arguments = {"-c", "exec \"$0\" \"$@\" </dev/null"},
                       .descriptors = {},
                       .output = writing.get(),
                       .sandbox = std::nullopt};
  start.arguments.insert(start.arguments.end(), arguments.begin(), arguments.end());
  for (const auto& [name, value] : variables) start.environment.push_back(name + "=" + value);
  const sandbox::Child child(start);
  writing.reset();
  read_lines(reading.get(), line);
  return status_of(child.pid());
}

}  // namespace podium::compile
