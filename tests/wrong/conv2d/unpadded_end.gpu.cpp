// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Padding only before the first row and column

// expect: wrong
// Off by one at the end: the filter's last row is left out where it reaches the image's.
#include "elements.hpp"

namespace {
struct Element : Places, Sum {
  static __device__ std::int64_t row(const problem::Arguments& args, std::int64_t i, std::int64_t u) {
    const std::int64_t at = Places::row(args, i, u);
    return at == args.h - 1 && args.h > 1 ? -1 : at;
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_elements<Element>(args, stream); }
};
}  // namespace
