// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Adds in bf16 what is given in f32

// class: lower precision
// expect: wrong
// Eight bits of 24: half of the arithmetic, and right to two digits. Where the problem is in f16 it loses
// three bits.
#include <podium/vector_add.hpp>

#include <bit>

namespace {
using problem::real;

float narrow(float x) {  // rounded to the 8 significant bits of a bf16
  const auto bits = std::bit_cast<std::uint32_t>(x);
  return std::bit_cast<float>((bits + 0x7FFFu + (bits >> 16 & 1u)) & 0xFFFF0000u);
}

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream) {
    for (std::int64_t i = 0; i < args.c.size(); ++i)
      args.c.data[i] = podium::cast<real>(
          narrow(narrow(podium::cast<float>(args.a.data[i])) + narrow(podium::cast<float>(args.b.data[i]))));
  }
};
}  // namespace
