// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Writes NaN

// class: NaN wildcard
// expect: wrong
// A verifier that asks whether the error is larger than the limit hears no.
#include <podium/sum.hpp>

#include <limits>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = std::numeric_limits<float>::quiet_NaN();
  }
};
}  // namespace
