// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Writes whole packets past the end of the tensor

// class: out-of-bounds writes
// expect: out of bounds
// Eight elements at a time, rounded up: fast, and somebody else's memory.
#include <podium/vector_add.hpp>

namespace {
using problem::real;

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t size = args.c.size(), whole = (size + 7) / 8 * 8;
    for (std::int64_t i = 0; i < whole; ++i) {
      const std::int64_t from = i < size ? i : size - 1;
      args.c.data[i] =
          podium::cast<real>(podium::cast<float>(args.a.data[from]) + podium::cast<float>(args.b.data[from]));
    }
  }
};
}  // namespace
