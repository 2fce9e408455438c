// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium-judge-<backend> --socket FD: the trusted process of one device, started by podium.
#include <cstdio>

#include "backends/common/arguments.hpp"
#include "suite/base/exit.hpp"
#include "suite/judge/judge.hpp"

int main(int argc, char** argv) try {
  const int socket = podium::number_argument(argc, argv, "--socket");
  if (socket < 0)
    throw podium::Error(std::string(argv[0]) + ": --socket FD is missing; podium starts this program");
  return podium::judge::serve(socket, podium::device::open);
} catch (const podium::Error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return static_cast<int>(podium::exit_of(e.fault()));
}
