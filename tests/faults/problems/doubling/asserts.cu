// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Fails an assertion on the device: error 710 of its context" }
#include <podium/doubling.hpp>

#undef NDEBUG
#include <cassert>

namespace {
__global__ void claim(float value) { assert(value == 0); }

struct Contestant {
  void run(const problem::Arguments&, podium::Stream stream) {
    podium::launch(claim, dim3(1), dim3(1), 0, stream, 1.0f);
  }
};
}  // namespace
