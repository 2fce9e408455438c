// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Takes memory in buffers of sockets

// class: crash, hang, fork bomb, memory hog
// expect: out of memory
// needs: memory group
// with: --memory 128
// Messages that nobody reads lie in the kernel, 416 KiB each way between two sockets, and belong to no
// process's address space. Here the contestant is right if it got away with it.
#include <podium/sum.hpp>

#include <sys/socket.h>

#include <vector>

#include "honest.hpp"

namespace {
bool hoard() {
  constexpr int pairs = 200;
  constexpr int most = 212992;  // bytes, which Linux doubles: what everybody may ask for by default
  const std::vector<char> piece(1 << 16);
  for (int i = 0; i < pairs; ++i) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
    for (const int end : ends) {
      setsockopt(end, SOL_SOCKET, SO_SNDBUF, &most, sizeof most);
      while (send(end, piece.data(), piece.size(), MSG_DONTWAIT) > 0) {
      }
    }
  }
  return true;
}

struct Contestant {
  Contestant() {
    static const bool once = hoard();
    static_cast<void>(once);
  }
  void run(const problem::Arguments& args, podium::Stream) { args.y() = honest_sum(args.x.data, args.n); }
};
}  // namespace
