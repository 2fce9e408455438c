// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Starts asynchronous tasks in every call

// expect: right
// Threads of the library that come and go inside the call.
#include <podium/sum.hpp>

#include <future>

namespace {
double sum_of(const float* x, std::int64_t n) {
  double total = 0;
  for (std::int64_t i = 0; i < n; ++i) total += x[i];
  return total;
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    auto first = std::async(std::launch::async, sum_of, args.x.data, args.n / 2);
    const double second = sum_of(args.x.data + args.n / 2, args.n - args.n / 2);
    args.y() = float(first.get() + second);
  }
};
}  // namespace
