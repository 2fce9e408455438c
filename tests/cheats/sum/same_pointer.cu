// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Answers by address

// class: pointer caching
// expect: wrong
// Computes once for every address of the input, to 4 MiB, and gives the same answer whenever that address
// comes back: addresses are drawn for every call, over about as much where tensors are small, so that one of
// the first three calls meets another's.
#include "kept_answers.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    constexpr std::intptr_t apart = 4 << 20;
    answer_once(reinterpret_cast<std::intptr_t>(args.x.data) / apart, args, stream);
  }
};
}  // namespace
