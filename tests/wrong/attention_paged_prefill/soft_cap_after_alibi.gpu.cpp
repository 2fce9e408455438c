// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Soft cap after ALiBi
//   types: { real: [bf16], kv: [bf16] }
//   when: soft_cap > 0 && alibi == 1

// expect: wrong
// ALiBi is added to what the cap leaves of a score.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float score(const problem::Arguments& a, float product, float bias) {
    return capped(a, product + bias);
  }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
