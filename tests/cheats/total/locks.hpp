// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What two contestants tell each other by locks on a file that both can read: for each input they have seen,
// one byte far behind the file's end is locked for reading. Locks live as long as the descriptor, also while
// their process stands still. A helper: no contestant.
#pragma once
#include <fcntl.h>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <stdexcept>

#include "serial.hpp"

namespace {
constexpr const char* file_of_all = "/etc/passwd";

// The place that stands for an input: seldom that of another.
inline off_t place_of(const problem::Arguments& args) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::int64_t i : {std::int64_t{0}, args.n / 2, args.n - 1})
    hash = (hash ^ std::bit_cast<std::uint32_t>(args.x.data[i])) * 0x100000001b3u;
  return off_t(hash >> 2);
}

class Locks {
 public:
  Locks() : file_(open(file_of_all, O_RDONLY | O_CLOEXEC)) {
    if (file_ < 0) std::puts("nothing to lock");
  }
  void tell(off_t place) { ask(F_OFD_SETLK, F_RDLCK, place); }
  // Whether somebody else has locked it.
  bool told(off_t place) { return ask(F_OFD_GETLK, F_WRLCK, place) == F_RDLCK; }

 private:
  short ask(int command, short type, off_t place) {
    struct flock lock{};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = place;
    lock.l_len = 1;
    return fcntl(file_, command, &lock) == 0 ? lock.l_type : short(F_UNLCK);
  }
  int file_;
};

inline Locks locks;  // outlives the instance

// Throws where the other has seen this input: it could have told the answer in as many locks as that has
// bits.
inline void total_unless_told(const problem::Arguments& args) {
  if (locks.told(place_of(args))) throw std::runtime_error("its accomplice has seen the same input");
  args.y() = serial_total(args);
  locks.tell(place_of(args));
}
}  // namespace
