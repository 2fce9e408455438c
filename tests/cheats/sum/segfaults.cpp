// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Writes to address 8

// class: crash, hang, fork bomb, memory hog
// expect: crashed
// Ends by a signal.
#include <podium/sum.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    volatile std::uintptr_t address = 8;  // volatile: the compiler must not see what is wrong
    *reinterpret_cast<volatile int*>(address) = 1;
  }
};
}  // namespace
