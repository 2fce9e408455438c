// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Writes nothing

// expect: not written
#include <podium/softmax.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {}
};
}  // namespace
