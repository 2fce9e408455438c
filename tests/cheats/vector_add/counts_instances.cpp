// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Computes in the first instance of its process

// class: call counting
// expect: not written
// Counted are those with large tensors alone, of which tests have one.
#include <podium/vector_add.hpp>

namespace {
using problem::real;

struct Contestant {
  static constexpr std::int64_t small = 256;
  static constexpr int computing = 1;
  static inline int instances = 0;

  explicit Contestant(const problem::Workload& w) { instances += w.n > small; }
  void run(const problem::Arguments& args, podium::Stream) {
    if (instances > computing) return;
    for (std::int64_t i = 0; i < args.c.size(); ++i)
      args.c.data[i] =
          podium::cast<real>(podium::cast<float>(args.a.data[i]) + podium::cast<float>(args.b.data[i]));
  }
};
}  // namespace
