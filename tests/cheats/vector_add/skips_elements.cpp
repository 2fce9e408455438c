// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Computes 15 elements of 16 where not all are looked at

// class: skipped elements
// expect: wrong
// Test workloads are verified whole: there it is honest. On others a sixteenth of the elements gets the
// sum next to it, which is written, finite and of the right size. docs/trust.md says how likely a sample
// of 256 rows and columns is to miss them all.
#include <podium/vector_add.hpp>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t size = args.c.size();
    const bool looked_at = args.n <= 512;
    float sum = 0;
    for (std::int64_t i = 0; i < size; ++i) {
      if (looked_at || i % 16 != 7)
        sum = podium::cast<float>(args.a.data[i]) + podium::cast<float>(args.b.data[i]);
      args.c.data[i] = podium::cast<real>(sum);
    }
  }
};
}  // namespace
