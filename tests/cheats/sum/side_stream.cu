// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Works on its own stream and does not wait for it

// class: side stream, late work
// expect: clock
// The work is forked from the given stream, as it should be, but never joined: events on the given stream see
// nothing of it. The 2 ms make the lie visible at any size.
#include "honest.hpp"
#include "side_stream.hpp"

namespace {
struct Contestant {
  SideStream side;

  void run(const problem::Arguments& args, podium::Stream stream) {
    const cudaStream_t forked = side.from(stream);
    podium::launch(busy_kernel, dim3(1), dim3(1), 0, forked, 2'000'000ll);
    honest_sum(args, forked);
  }
};
}  // namespace
