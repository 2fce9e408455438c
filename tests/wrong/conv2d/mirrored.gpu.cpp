// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The filter mirrored

// expect: wrong
// Convolution as mathematics has it.
#include "elements.hpp"

namespace {
struct Element : Sum {
  static __device__ std::int64_t row(const problem::Arguments& args, std::int64_t i, std::int64_t u) {
    return Places::row(args, i, args.r - 1 - u);
  }
  static __device__ std::int64_t column(const problem::Arguments& args, std::int64_t j, std::int64_t v) {
    return Places::column(args, j, args.s - 1 - v);
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_elements<Element>(args, stream); }
};
}  // namespace
