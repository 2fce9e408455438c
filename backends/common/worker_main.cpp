// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium-worker-<backend> --socket FD [--plugin FD] [--at PCI]: the untrusted process of one contestant,
// started by podium. --at: the device is the one at that address, whatever its number is among those that
// this process sees. With --open N it opens device N as a worker does, says how many GPUs it sees, or why it
// cannot, and ends.
#include <fcntl.h>

#include <cstdio>
#include <new>
#include <utility>

#include "backends/common/arguments.hpp"
#include "backends/common/opener.hpp"
#include "suite/base/exit.hpp"
#include "suite/worker/worker.hpp"

namespace {

void try_device(int ordinal, const std::string& at) {
  alignas(podium::device::page_bytes) static std::byte page[podium::device::page_bytes];
  podium::opener(at)(ordinal, *new (page) podium::device::Page);
  std::printf("%d\n", podium::device::visible_devices());
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string at = podium::text_argument(argc, argv, "--at");
  if (const int device = podium::number_argument(argc, argv, "--open"); device >= 0) {
    try_device(device, at);
    return 0;
  }
  const int socket = podium::number_argument(argc, argv, "--socket");
  if (socket < 0)
    throw podium::Error(std::string(argv[0]) + ": --socket FD is missing; podium starts this program");
  const int plugin = podium::number_argument(argc, argv, "--plugin");
  podium::worker::Loader load;
  if (plugin >= 0) {
    fcntl(plugin, F_SETFD, FD_CLOEXEC);
    load = [plugin](const std::string& hash) { return podium::worker::load_contestant(plugin, hash); };
  }
  podium::worker::serve(socket, std::move(load), podium::opener(at));
} catch (const podium::Error& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return static_cast<int>(podium::exit_of(e.fault()));
}
