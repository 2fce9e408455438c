// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Adds up in half precision

// class: lower precision
// expect: wrong
// An f32 problem computed with 11 bits: right to three digits.
#include <podium/sum.hpp>

namespace {
struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    _Float16 parts[64] = {};
    for (std::int64_t i = 0; i < args.n; ++i) parts[i % 64] = parts[i % 64] + _Float16(args.x.data[i]);
    float total = 0;
    for (const _Float16 part : parts) total += float(part);
    args.y() = total;
  }
};
}  // namespace
