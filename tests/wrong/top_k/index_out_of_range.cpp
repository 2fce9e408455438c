// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: An index behind the row

// expect: wrong
// It is that of an element in the next row.
#include "honest.hpp"

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    honest(args);
    if (args.rows > 1 && args.k > 0) args.indices(0, 0) += std::int32_t(args.cols);
  }
};
}  // namespace
