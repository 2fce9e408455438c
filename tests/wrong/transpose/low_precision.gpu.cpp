// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: By way of bf16
//   types: { real: [f32] }

// expect: wrong
// Half the traffic in shared memory.
#include "copy.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.x.size() == 0) return;
    podium::launch(transpose, blocks_for(args.x.size()), dim3(block), 0, stream, args.x, args.y);
    podium::launch(shorten, blocks_for(args.y.size()), dim3(block), 0, stream, args.y.data, args.y.size());
  }
};
}  // namespace
