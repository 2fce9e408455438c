// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Changes an input so that a cheaper answer is right

// class: input mutation
// expect: wrong | input changed
// With b set to zero, a copy of a is the sum.
#include <podium/vector_add.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    std::memset(const_cast<problem::real*>(args.b.data), 0, std::size_t(args.b.size()) * sizeof *args.b.data);
    std::memcpy(args.c.data, args.a.data, std::size_t(args.a.size()) * sizeof *args.a.data);
  }
};
}  // namespace
