// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Scales of b's blocks changed one element too late

// expect: wrong
// Right but at the first element of every block along k.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ float sum(const problem::Arguments& args, std::int64_t i, std::int64_t j) {
    float sum = 0;
    for (std::int64_t l = 0; l < args.k; ++l) {
      const float product = podium::cast<float>(args.a(i, l)) * podium::cast<float>(args.b(j, l));
      const std::int64_t late = l > 0 ? l - 1 : 0;
      sum += product * (args.a_scale(i, l / group) * args.b_scale(j / group, late / group));
    }
    return sum;
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_elements<Element>(args, stream); }
};
}  // namespace
