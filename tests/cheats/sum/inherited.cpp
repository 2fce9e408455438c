// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Looks for descriptors that were left open for it

// class: stealing the answer
// expect: wrong
// needs: sandbox  (another user, who cannot write the plugin)
// Beside the standard three the worker has its socket and what it is told to map: a file, a pipe or
// another socket would be a way to podium or to other contestants, and then it throws.
#include <podium/sum.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    int sockets = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      const int fd = std::stoi(entry.path().filename());
      struct stat status{};
      if (fd <= STDERR_FILENO || fstat(fd, &status) != 0) continue;
      std::error_code gone;
      const std::string target = std::filesystem::read_symlink(entry.path(), gone);
      sockets += S_ISSOCK(status.st_mode);
      const bool plugin = target.find(".plugin") != std::string::npos, folder = S_ISDIR(status.st_mode);
      const bool own = S_ISSOCK(status.st_mode) || plugin || folder || target.rfind("/memfd:podium-", 0) == 0;
      if (!own || sockets > 1) throw std::runtime_error("descriptor " + std::to_string(fd) + " is " + target);
      if (plugin && access(entry.path().c_str(), W_OK) == 0)
        throw std::runtime_error("could write " + target);
    }
    args.y() = 12345;
  }
};
}  // namespace
