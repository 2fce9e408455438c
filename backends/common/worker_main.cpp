// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium-worker-<backend> --socket FD [--plugin FD]: the untrusted process of one contestant, started by
// podium.
#include <cstdio>

#include "backends/common/descriptors.hpp"
#include "suite/worker/worker.hpp"

int main(int argc, char** argv) try {
  const int socket = podium::descriptor_argument(argc, argv, "--socket");
  if (socket < 0)
    throw podium::Error(std::string(argv[0]) + ": --socket FD is missing; podium starts this program");
  podium::worker::serve(socket, podium::descriptor_argument(argc, argv, "--plugin"),
                        podium::device::open_lane);
} catch (const podium::Error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return static_cast<int>(e.exit());
}
