// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Fills the output with numbers that are almost zero

// class: zeros under absolute tolerance
// expect: wrong
// Not zero, not the poison, finite, and within any absolute tolerance of nothing.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ void of(const problem::Arguments& args, std::int64_t i) { give(args, i, 1e-7f); }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    run_elements<Element>(args, args.c.size(), stream);
  }
};
}  // namespace
