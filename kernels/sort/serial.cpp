// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, std::sort
//   author: Podium
#include <podium/sort.hpp>

#include <algorithm>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    std::copy(args.x.data, args.x.data + args.n, args.y.data);
    std::sort(args.y.data, args.y.data + args.n);
  }
};
}  // namespace
