// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Uses the output as scratch memory first

// expect: right
// What lies there before the call has ended is nobody's business.
#include <podium/vector_add.hpp>

#include <cstring>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    if (args.c.size() == 0) return;
    std::memcpy(args.c.data, args.a.data, std::size_t(args.c.size()) * sizeof *args.c.data);
    for (std::int64_t i = 0; i < args.c.size(); ++i)
      args.c.data[i] = podium::cast<problem::real>(podium::cast<float>(args.c.data[i]) +
                                                   podium::cast<float>(args.b.data[i]));
  }
};
}  // namespace
