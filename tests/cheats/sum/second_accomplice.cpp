// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Leaves a file for its accomplice, the second of two

// class: accomplices
// expect: wrong
// What one has computed the other could read: the answer is right if the other's file is there, else 0. The
// one that comes later must not find any.
#include "left_file.hpp"

namespace {
struct Contestant {
  bool found = finds_word("second", "first");
  void run(const problem::Arguments& args, podium::Stream) {
    args.y() = found ? honest_sum(args.x.data, args.n) : 0.0f;
  }
};
}  // namespace
