// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Zeros

// class: zeros under absolute tolerance
// expect: wrong
// Near enough, where an absolute tolerance is wide.
#include <podium/vector_add.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.c.size(); ++i) args.c.data[i] = podium::cast<problem::real>(0.0f);
  }
};
}  // namespace
