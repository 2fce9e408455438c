// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Changes an input so that a cheaper answer is right

// class: input mutation
// expect: wrong | input changed
// With b set to zero, a copy of a is the sum.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ void of(const problem::Arguments& args, std::int64_t i) {
    const_cast<real*>(args.b.data)[i] = podium::cast<real>(0.0f);
    args.c.data[i] = args.a.data[i];
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    run_elements<Element>(args, args.c.size(), stream);
  }
};
}  // namespace
