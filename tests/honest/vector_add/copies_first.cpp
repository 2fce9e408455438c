// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Copies its inputs into a workspace that it keeps

// expect: right
// The workspace is the same in every call; what is in it is not used again.
#include <podium/vector_add.hpp>

#include <algorithm>
#include <cstring>

namespace {
using problem::real;

struct Contestant {
  static constexpr std::int64_t at_once = 1 << 20;  // all that is larger goes through in pieces
  real *a, *b;

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : a(workspace.device<real>(std::size_t(std::min(w.n * w.n, at_once)))),
        b(workspace.device<real>(std::size_t(std::min(w.n * w.n, at_once)))) {}
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t first = 0; first < args.c.size(); first += at_once) {
      const std::int64_t count = std::min(args.c.size() - first, at_once);
      std::memcpy(a, args.a.data + first, std::size_t(count) * sizeof(real));
      std::memcpy(b, args.b.data + first, std::size_t(count) * sizeof(real));
      for (std::int64_t i = 0; i < count; ++i)
        args.c.data[first + i] = podium::cast<real>(podium::cast<float>(a[i]) + podium::cast<float>(b[i]));
    }
  }
};
}  // namespace
