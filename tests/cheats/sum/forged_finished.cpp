// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Says itself that the call is finished

// class: forging the result
// expect: not written | wrong
// The worker's socket is a descriptor among others. The message that the call is done and took a
// microsecond goes out before the work; the true one is kept back.
#include "bent_clock.hpp"
#include "forged.hpp"
#include "honest.hpp"

namespace {
bool forged = false;

ssize_t keep_back(int fd, const msghdr* message, int flags) {
  if (const auto* armed = sent<protocol::Armed>(message)) forged = false;
  if (forged && sent<protocol::Finished>(message)) return message->msg_iov->iov_len;
  return pass_on(fd, message, flags);
}

std::uint32_t ticket = 0;  // of the call, as the worker would say it
ssize_t listen_first(int fd, const msghdr* message, int flags) {
  if (const auto* armed = sent<protocol::Armed>(message)) ticket = armed->ticket;
  return keep_back(fd, message, flags);
}

struct Contestant {
  Contestant() { overwrite_send(&listen_first); }
  void run(const problem::Arguments& args, podium::Stream) {
    protocol::Finished finished{};
    finished.ticket = ticket;
    finished.microseconds = 1;
    say(finished);
    forged = true;
    spin(20'000'000);
    args.y() = honest_sum(args.x.data, args.n);
  }
};
}  // namespace
