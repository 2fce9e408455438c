// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Zeros

// class: zeros under absolute tolerance
// expect: wrong
// Near enough, where an absolute tolerance is wide.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ void of(const problem::Arguments& args, std::int64_t i) { give(args, i, 0); }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    run_elements<Element>(args, args.c.size(), stream);
  }
};
}  // namespace
