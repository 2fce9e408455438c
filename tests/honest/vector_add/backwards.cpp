// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Writes from the end to the beginning

// expect: right
// The order is its own affair.
#include <podium/vector_add.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = args.c.size(); i-- > 0;)
      args.c.data[i] = podium::cast<problem::real>(podium::cast<float>(args.a.data[i]) +
                                                   podium::cast<float>(args.b.data[i]));
  }
};
}  // namespace
