// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Throws

// class: crash, hang, fork bomb, memory hog
// expect: threw
// Its text is the row, and the others go on.
#include <podium/sum.hpp>

#include <stdexcept>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) { throw std::runtime_error("no sum today"); }
};
}  // namespace
