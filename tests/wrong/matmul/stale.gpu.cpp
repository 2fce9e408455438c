// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The answer of the call before

// expect: wrong
// Right for inputs that were, in the right place, and complete.
#include "honest.hpp"

namespace {
__global__ void __launch_bounds__(block) copy(const real* from, real* to, std::int64_t size) {
  if (const std::int64_t i = thread_index(); i < size) to[i] = from[i];
}

struct Contestant {
  real* kept;

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : kept(workspace.device<real>(std::size_t(w.m * w.n))) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    const std::int64_t size = args.c.size();
    podium::launch(copy, blocks_for(size), dim3(block), 0, stream, kept, args.c.data, size);
    honest(args, kept, stream);
  }
};
}  // namespace
