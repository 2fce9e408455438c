// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The honest kernel, against which those are held that try something around it

#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { honest_sum(args, stream); }
};
}  // namespace
