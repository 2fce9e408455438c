// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Operands rounded to tf32
//   types: { real: [f32] }

// expect: wrong
// What a library does with f32 unless it is told not to.
#include "elements.hpp"

namespace {
inline __device__ float tf32(float x) {  // ten bits of fraction, nearest
  return __uint_as_float((__float_as_uint(x) + 0x1000u) & 0xFFFFE000u);
}

struct Element : Places, Sum {
  __device__ void add(float x, float weight) { sum += tf32(x) * tf32(weight); }
};

struct Contestant {
  void run(const problem::Arguments& args, podium::Stream stream) { run_elements<Element>(args, stream); }
};
}  // namespace
