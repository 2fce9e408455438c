// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Adds in bf16 what is given in f32

// class: lower precision
// expect: wrong
// Eight bits of 24: half of the arithmetic, and right to two digits. Where the problem is in f16 it loses
// three bits.
#include "elements.hpp"

namespace {
struct Element {
  static __device__ float narrow(float x) { return podium::cast<float>(podium::cast<podium::bf16>(x)); }
  static __device__ void of(const problem::Arguments& args, std::int64_t i) {
    const float a = narrow(podium::cast<float>(args.a.data[i])),
                b = narrow(podium::cast<float>(args.b.data[i]));
    give(args, i, narrow(a + b));
  }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) {
    run_elements<Element>(args, args.c.size(), stream);
  }
};
}  // namespace
