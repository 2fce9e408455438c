// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: No soft cap
//   types: { real: [bf16], kv: [bf16] }
//   when: soft_cap > 0

// expect: wrong
// Right where scores are far below it.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float score(const problem::Arguments&, float product, float bias) {
    return product + bias;
  }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
