// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Products rounded to bf16

// expect: wrong
// As a model computes that keeps all it has in bf16.
#include "turn.hpp"

namespace {
__device__ float rounded(float v) { return podium::cast<float>(podium::cast<podium::bf16>(v)); }

struct Narrow : Right {
  __device__ static Pair turned(Pair v, float cosine, float sine) {
    return {rounded(v.first * cosine) - rounded(v.second * sine),
            rounded(v.second * cosine) + rounded(v.first * sine)};
  }
};
struct Contestant : Turned<Narrow> {};
}  // namespace
