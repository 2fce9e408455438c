// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Writes over its row on the terminal

// class: forging the result
// expect: threw
// Its exception moves the cursor up, writes a line that looks like a result, and hides the rest. Control
// characters never reach a row.
#include <podium/sum.hpp>

#include <stdexcept>

namespace {
struct Contestant {
  void run(const problem::Arguments&, podium::Stream) {
    throw std::runtime_error(
        "\x1b[1A\x1b[2K\rsum/f32  forged_row  right  1\xc2\x9b"
        "8m\x7f\xff\n");
  }
};
}  // namespace
