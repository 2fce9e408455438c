// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Computes in bf16 where the problem is in f32

// class: lower precision
// expect: wrong
// Every intermediate result is rounded to eight bits.
#include <podium/rms_norm.hpp>

#include <cmath>

#include <bit>

namespace {
using problem::real;

float narrow(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>((bits + 0x7FFFu + (bits >> 16 & 1u)) & 0xFFFF0000u);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t t = 0; t < args.tokens; ++t) {
      float square = 0;
      for (std::int64_t i = 0; i < args.hidden; ++i) {
        const float sum =
            narrow(podium::cast<float>(args.residual(t, i)) + podium::cast<float>(args.x(t, i)));
        args.residual(t, i) = podium::cast<real>(sum);
        square += narrow(sum * sum);
      }
      const float scale = narrow(1 / std::sqrt(square / float(args.hidden) + float(problem::epsilon)));
      for (std::int64_t i = 0; i < args.hidden; ++i)
        args.y(t, i) = podium::cast<real>(narrow(narrow(podium::cast<float>(args.residual(t, i)) * scale) *
                                                 podium::cast<float>(args.weight(i))));
    }
  }
};
}  // namespace
