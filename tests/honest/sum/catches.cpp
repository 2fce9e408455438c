// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Throws and catches inside the call

// expect: right
// An exception that does not leave the call is nobody's business.
#include <podium/sum.hpp>

#include <stdexcept>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    double total = 0;
    try {
      for (std::int64_t i = 0;; ++i) {
        if (i == args.n) throw std::out_of_range("the end");
        total += args.x.data[i];
      }
    } catch (const std::out_of_range&) {
      args.y() = float(total);
    }
  }
};
}  // namespace
