// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Starts a server of its own that runs kernels of several processes at once

// class: side stream, late work
// expect: clock | wrong | not written | threw | exited
// NVIDIA's multi-process service lets kernels of its clients run beside each other. The worker is none of
// them; the process that does the work is: it asks a server that this contestant has started.
#include <cstdlib>

#include "own_process.hpp"

namespace {
std::string start_server() {
  const char* const own = std::getenv("TMPDIR");
  const std::string folder = own != nullptr ? own : "/tmp";
  std::vector<std::string> all = {"CUDA_MPS_PIPE_DIRECTORY=" + folder, "CUDA_MPS_LOG_DIRECTORY=" + folder};
  std::vector<char*> variables;
  for (auto& each : all) variables.push_back(each.data());
  variables.push_back(nullptr);
  char program[] = "nvidia-cuda-mps-control", in_front[] = "-f";
  char* words[] = {program, in_front, nullptr};
  pid_t server = 0;
  const int failed = posix_spawnp(&server, program, nullptr, nullptr, words, variables.data());
  if (failed != 0) throw std::runtime_error(std::string("no server: ") + std::strerror(failed));
  usleep(500'000);
  if (waitpid(server, nullptr, WNOHANG) != 0) throw std::runtime_error("the server ended at once");
  return folder;
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    static const std::string folder = start_server();
    OwnProcess::of(args.y.data, {"CUDA_MPS_PIPE_DIRECTORY=" + folder}).ask(args, stream);
  }
};
}  // namespace
