// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Right but for one element

// class: wrong numbers
// expect: wrong
// An average over all elements would not notice.
#include <podium/vector_add.hpp>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t size = args.c.size();
    for (std::int64_t i = 0; i < size; ++i) {
      const float sum = podium::cast<float>(args.a.data[i]) + podium::cast<float>(args.b.data[i]);
      args.c.data[i] = podium::cast<real>(i == size / 2 ? sum + 1 : sum);
    }
  }
};
}  // namespace
