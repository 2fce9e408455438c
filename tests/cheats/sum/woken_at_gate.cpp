// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Works in the moment between the gate and the clock

// class: side stream, late work
// expect: clock
// The worker sleeps at its gate in a system call. What returns from it here works first: the inputs are known
// and the clock has not started. The 20 ms make the lie visible at any size.
#include <linux/futex.h>

#include "bent_clock.hpp"
#include "honest.hpp"

namespace {
long returns_late(long number, long a, long b, long c, long d, long e, long f) {
  long result = number;
#if defined(__x86_64__)
  register long fourth asm("r10") = d, fifth asm("r8") = e, sixth asm("r9") = f;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(fourth), "r"(fifth), "r"(sixth)
               : "rcx", "r11", "memory");
#endif
  if (number == SYS_futex && b == FUTEX_WAIT) spin(20'000'000);
  if (result >= 0) return result;
  errno = int(-result);
  return -1;
}

struct Contestant {
  Contestant() {
    overwrite_function(reinterpret_cast<void*>(&syscall), reinterpret_cast<void*>(&returns_late));
  }
  void run(const problem::Arguments& args, podium::Stream) { args.y() = honest_sum(args.x.data, args.n); }
};
}  // namespace
