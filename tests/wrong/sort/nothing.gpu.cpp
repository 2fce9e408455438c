// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Writes nothing
//   when: n <= 16384

// expect: not written
#include <podium/sort.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {}
};
}  // namespace
