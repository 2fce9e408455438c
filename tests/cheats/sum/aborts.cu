// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Calls abort

// class: crash, hang, fork bomb, memory hog
// expect: crashed
// As a failed assertion in a library would.
#include <podium/sum.hpp>

#include <cstdlib>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) { std::abort(); }
};
}  // namespace
