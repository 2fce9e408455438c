// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Computes before the gate opens, and keeps what it saw

// class: inputs before their turn
// expect: wrong | not written
// As soon as a call is over, a thread adds up what lies where the inputs were; the next call only hands that
// over. What lies there by then are the old inputs.
#include "honest.hpp"

#include <thread>

namespace {
struct Contestant {
  std::thread early;
  float kept = 0;

  ~Contestant() {
    if (early.joinable()) early.join();
  }
  void run(const problem::Arguments& args, podium::Stream) {
    if (early.joinable()) early.join();
    args.y() = kept;
    early = std::thread([this, args] { kept = honest_sum(args.x.data, args.n); });
  }
};
}  // namespace
