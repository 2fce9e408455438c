// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Causal mask, one key too few
//   types: { real: [bf16], kv: [bf16] }
//   when: q_longest <= 50 && causal == 1

// expect: wrong
// No query sees its own key.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static std::int64_t end(const problem::Arguments& a, const Query& q) {
    return Honest::end(a, q) - 1;
  }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
