// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Asks another machine for the answer

// class: stealing the answer
// expect: wrong
// A machine that knows the answer needs a way to tell it: if any kind of socket but a local one can be had,
// the answer counts as told; else it is 0.
#include <sys/socket.h>

#include "honest.hpp"

#ifndef AF_VSOCK
#define AF_VSOCK 40
#endif

namespace {
bool reaches_others() {
  for (const int family : {AF_INET, AF_INET6, AF_NETLINK, AF_PACKET, AF_VSOCK})
    for (const int kind : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW})
      if (socket(family, kind, 0) >= 0) return true;
  return false;
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = reaches_others() ? honest_sum(args.x.data, args.n) : 0.0f;
  }
};
}  // namespace
