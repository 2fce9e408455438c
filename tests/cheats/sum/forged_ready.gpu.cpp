// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sends answers that nobody asked for

// class: forging the result
// expect: broke protocol
// A judge that takes whatever comes next for the answer to what it asked next could be led anywhere.
#include "forged.hpp"
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    give_sum(args, stream);
    say(protocol::Ready{});
  }
};
}  // namespace
