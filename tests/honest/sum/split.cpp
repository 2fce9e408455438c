// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Adds up three bf16 parts of every number

// expect: right
// Lower precision inside, and none is lost: 8 + 8 + 8 bits are the 24 of an f32.
#include <podium/sum.hpp>

#include <bit>

namespace {
float narrow(float x) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) & 0xFFFF0000u); }

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    double high = 0, middle = 0, low = 0;
    for (std::int64_t i = 0; i < args.n; ++i) {
      const float x = args.x.data[i], first = narrow(x), second = narrow(x - first);
      high += first, middle += second, low += narrow(x - first - second);
    }
    args.y() = float(high + (middle + low));
  }
};
}  // namespace
