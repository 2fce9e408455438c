// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One answer for each size, kept on the device

// class: replay
// expect: wrong
// The simplest fingerprint of inputs is their size; a variable of the device outlives the instance.
#include "kept_answers.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { answer_once(args.n, args, stream); }
};
}  // namespace
