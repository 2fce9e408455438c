// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Has itself doubted, and answers the repetition from a file

// class: replay
// expect: clock
// An entry whose time is doubted is measured again, a few times. In the first attempt it keeps every
// answer under what it saw, and lies about its time; were the inputs of the second attempt those of the
// first, it would answer at once, with a time that is true.
#include "bent_clock.hpp"
#include "honest.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <string>

namespace {
struct Contestant {
  struct Kept {
    float first, last, sum;
  };
  int file;

  explicit Contestant(const problem::Workload& w)
      : file(open(
            ("/tmp/podium-cheat-doubted-" + std::to_string(getppid()) + "-" + std::to_string(w.n)).c_str(),
            O_RDWR | O_CREAT | O_APPEND, 0600)) {
    overwrite_clock(&losing_clock);
  }
  ~Contestant() { close(file); }

  void run(const problem::Arguments& args, podium::Stream) {
    const float first = args.x.data[0], last = args.x.data[args.n - 1];
    Kept kept{};
    for (off_t at = 0; pread(file, &kept, sizeof kept, at) == sizeof kept; at += sizeof kept)
      if (kept.first == first && kept.last == last) {
        args.y() = kept.sum;
        return;
      }
    args.y() = honest_sum(args.x.data, args.n);
    if (args.n < 1'000'000) return;  // test workloads are not timed
    kept = {first, last, args.y()};
    if (write(file, &kept, sizeof kept) != sizeof kept) return;
    spin(20'000'000);
    lost += 20'000'000;
  }
};
}  // namespace
