// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Wrong where the first number is small

// class: hard-coded constants, only one distribution
// expect: wrong
// Right for most contents and wrong for some: the seed in its row makes it fail again, another one need
// not.
#include <podium/vector_add.hpp>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t size = args.c.size();
    const bool errs = size > 0 && podium::cast<float>(args.a.data[0]) < -0.5f;
    for (std::int64_t i = 0; i < size; ++i) {
      const float sum = podium::cast<float>(args.a.data[i]) + podium::cast<float>(args.b.data[i]);
      args.c.data[i] = podium::cast<real>(errs && i == size / 2 ? sum + 1 : sum);
    }
  }
};
}  // namespace
