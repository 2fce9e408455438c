// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Throws in its constructor, and nothing that has a text

// class: crash, hang, fork bomb, memory hog
// expect: threw
// An int is an exception too.
#include <podium/sum.hpp>

namespace {
struct Contestant {
  Contestant() { throw 42; }
  void run(const problem::Arguments&, podium::Stream) {}
};
}  // namespace
