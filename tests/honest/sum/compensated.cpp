// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Adds up in f32 with a compensation

// expect: right
// Kahan's sum: half of the numbers are corrections.
#include <podium/sum.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    float sum = 0, lost = 0;
    for (std::int64_t i = 0; i < args.n; ++i) {
      const volatile float term = args.x.data[i] - lost;
      const volatile float next = sum + term;
      lost = (next - sum) - term;
      sum = next;
    }
    args.y() = sum;
  }
};
}  // namespace
