// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: LSE in base e
//   types: { real: [bf16], kv: [bf16] }
//   when: with_lse == 1 && q_longest <= 50

// expect: wrong
// All outputs are right.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float lse(float peak, float of_keys, float of_sink) {
    return peak + logf(of_keys + of_sink);
  }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
