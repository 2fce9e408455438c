// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: A launch that fails unnoticed

// class: error swallowing
// expect: not written | threw
// A block of 4,096 threads cannot be launched. Nobody asks, nothing runs, and the time is excellent.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    honest_kernel<<<1, 4096, 0, stream>>>(args.x.data, args.y.data, args.n);
  }
};
}  // namespace
