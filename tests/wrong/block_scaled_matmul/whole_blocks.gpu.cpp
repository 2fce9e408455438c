// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Only whole blocks of 128 along k

// expect: wrong
// What is left over at the end of the rows is not added.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ float sum(const problem::Arguments& args, std::int64_t i, std::int64_t j) {
    float sum = 0;
    const std::int64_t whole = args.k < group ? args.k : args.k / group * group;
    for (std::int64_t l = 0; l < whole; ++l) sum += term(args, i, j, l);
    return sum;
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_elements<Element>(args, stream); }
};
}  // namespace
