// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The last offset too large by one

// expect: wrong
// The last expert's part ends behind the list; every pair is within the part of its expert.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    honest(args);
    ++args.offsets(args.experts);
  }
};
}  // namespace
