// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, a loop
//   author: Podium
#include <podium/convert.hpp>
#include <podium/vector_add.hpp>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const real *a = args.a.data, *b = args.b.data;
    real* c = args.c.data;
    for (std::int64_t i = 0, size = args.c.size(); i < size; ++i)
      c[i] = podium::cast<real>(podium::cast<float>(a[i]) + podium::cast<float>(b[i]));
  }
};
}  // namespace
