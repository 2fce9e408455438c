// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Copies a row where not all are looked at

// class: skipped elements
// expect: wrong
// One row in 32 is a copy of the row before it; 256 rows are drawn for every sample.
#include <podium/vector_add.hpp>

#include <cstring>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t n = args.n;
    for (std::int64_t i = 0; i < n; ++i) {
      real* const row = args.c.data + i * n;
      if (n > 512 && i % 32 == 31) {
        std::memcpy(row, row - n, std::size_t(n) * sizeof(real));
        continue;
      }
      for (std::int64_t j = i * n; j < (i + 1) * n; ++j)
        args.c.data[j] =
            podium::cast<real>(podium::cast<float>(args.a.data[j]) + podium::cast<float>(args.b.data[j]));
    }
  }
};
}  // namespace
