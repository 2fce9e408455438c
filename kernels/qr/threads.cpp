// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: All processors, whole matrices each
//   author: Podium
#include <podium/threads.hpp>

#include <vector>

#include "householder.hpp"

namespace {
struct Contestant {
  podium::Threads threads;
  std::vector<Householder> methods;  // one for every thread

  explicit Contestant(const problem::Workload& w)
      : methods(std::size_t(threads.count()), Householder(w.rows, w.cols)) {}

  void run(const problem::Arguments& args, podium::Stream) {
    const std::int64_t size = args.rows * args.cols, square = args.cols * args.cols;
    threads.each_member([&](int member) {
      const auto [begin, end] = threads.share(args.batch, 1, member);
      for (auto b = begin; b < end; ++b)
        methods[std::size_t(member)].factorise(args.a.data + b * size, args.q.data + b * size,
                                               args.r.data + b * square);
    });
  }
};
}  // namespace
