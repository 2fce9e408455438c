// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium-worker-<backend> --socket FD [--plugin FD]: the untrusted process of one contestant, started by
// podium. With --open N it opens device N as a worker does, says why if it cannot, and ends.
#include <cstdio>
#include <new>

#include "backends/common/arguments.hpp"
#include "suite/worker/worker.hpp"

namespace {

void try_device(int ordinal) {
  alignas(podium::device::page_bytes) static std::byte page[podium::device::page_bytes];
  podium::device::open_lane(ordinal, *new (page) podium::device::Page);
}

}  // namespace

int main(int argc, char** argv) try {
  if (const int device = podium::number_argument(argc, argv, "--open"); device >= 0) {
    try_device(device);
    return 0;
  }
  const int socket = podium::number_argument(argc, argv, "--socket");
  if (socket < 0)
    throw podium::Error(std::string(argv[0]) + ": --socket FD is missing; podium starts this program");
  podium::worker::serve(socket, podium::number_argument(argc, argv, "--plugin"), podium::device::open_lane);
} catch (const podium::Error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return static_cast<int>(e.exit());
}
