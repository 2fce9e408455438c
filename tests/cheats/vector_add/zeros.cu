// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Zeros

// class: zeros under absolute tolerance
// expect: wrong
// Near enough, where an absolute tolerance is wide.
#include <podium/vector_add.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    podium::check(cudaMemsetAsync(args.c.data, 0, std::size_t(args.c.size()) * sizeof *args.c.data, stream));
  }
};
}  // namespace
