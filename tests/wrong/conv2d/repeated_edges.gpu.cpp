// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The image goes on beyond its edges

// expect: wrong
// Padding by the nearest pixel instead of zeros.
#include "elements.hpp"

namespace {
struct Element : Sum {
  static __device__ std::int64_t nearest(std::int64_t at, std::int64_t extent) {
    return at < 0 ? 0 : at < extent ? at : extent - 1;
  }
  static __device__ std::int64_t row(const problem::Arguments& args, std::int64_t i, std::int64_t u) {
    return nearest(Places::row(args, i, u), args.h);
  }
  static __device__ std::int64_t column(const problem::Arguments& args, std::int64_t j, std::int64_t v) {
    return nearest(Places::column(args, j, v), args.w);
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_elements<Element>(args, stream); }
};
}  // namespace
