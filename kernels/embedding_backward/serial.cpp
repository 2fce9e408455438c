// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: One thread, token after token
//   author: Podium
#include <podium/embedding_backward.hpp>

#include <algorithm>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    std::fill_n(args.y.data, args.y.size(), 0.0f);
    for (std::int64_t t = 0; t < args.tokens; ++t)
      for (std::int64_t w = 0; w < args.width; ++w)
        args.y(args.token(t), w) += podium::cast<float>(args.gradient(t, w));
  }
};
}  // namespace
