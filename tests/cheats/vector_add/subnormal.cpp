// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Fills the output with numbers that are almost zero

// class: zeros under absolute tolerance
// expect: wrong
// Not zero, not the poison, finite, and within any absolute tolerance of nothing.
#include <podium/vector_add.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.c.size(); ++i) args.c.data[i] = podium::cast<problem::real>(1e-7f);
  }
};
}  // namespace
