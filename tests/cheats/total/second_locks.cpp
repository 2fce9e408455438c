// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Tells its accomplice by locks what it has seen, the second of two

// class: accomplices
// expect: right
// with: --rounds 2
// While one of them is on turn the other is parked, and its locks hold. The one that comes later must not
// meet an input that the other has seen: otherwise it would throw. first_locks is the other one.
#include "locks.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) { total_unless_told(args); }
};
}  // namespace
