// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: LSE of the keys alone
//   types: { real: [bf16], kv: [bf16] }
//   when: with_lse == 1 && sinks == 1

// expect: wrong
// All outputs are right.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float lse(float peak, float of_keys, float) {
    return peak * 1.44269504f + log2f(of_keys);
  }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
