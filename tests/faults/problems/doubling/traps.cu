// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Ends its kernel by a trap: error 719 of its context" }
#include <podium/doubling.hpp>

namespace {
__global__ void trap() { asm("trap;"); }

struct Contestant {
  void run(const problem::Arguments&, podium::Stream stream) {
    podium::launch(trap, dim3(1), dim3(1), 0, stream);
  }
};
}  // namespace
