// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Reports times that are not numbers

// class: NaN wildcard
// expect: broke protocol
// Every comparison with NaN is false: sorted among times it makes any of them the median, and no limit is
// exceeded.
#include "forged.hpp"
#include "honest.hpp"

#include <cmath>

namespace {
ssize_t without_number(int fd, const msghdr* message, int flags) {
  if (auto* finished = sent<protocol::Finished>(message)) finished->microseconds = NAN;
  return pass_on(fd, message, flags);
}

struct Contestant {
  Contestant() { overwrite_send(&without_number); }
  void run(const problem::Arguments& args, podium::Stream) { args.y() = honest_sum(args.x.data, args.n); }
};
}  // namespace
