// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Writes NaN

// class: NaN wildcard
// expect: wrong
// A verifier that asks whether the error is larger than the limit hears no.
#include <podium/sum.hpp>

namespace {
__global__ void spoil(float* y) { *y = nanf(""); }

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::launch(spoil, dim3(1), dim3(1), 0, stream, args.y.data);
  }
};
}  // namespace
