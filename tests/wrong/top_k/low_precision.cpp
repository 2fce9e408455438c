// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Compared as f16
//   types: { real: [f32] }

// expect: wrong
// What f16 cannot tell apart is taken in the order in which it stands.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    honest(args, [&](std::int64_t i, std::int64_t j) {
      return podium::cast<float>(podium::cast<podium::f16>(podium::cast<float>(args.x(i, j))));
    });
  }
};
}  // namespace
