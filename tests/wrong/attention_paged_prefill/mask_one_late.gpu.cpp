// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Causal mask, one key too many
//   types: { real: [bf16], kv: [bf16] }
//   when: q_longest <= 50 && causal == 1

// expect: wrong
// Each query sees the key behind its own, but for the last.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static std::int64_t end(const problem::Arguments& a, const Query& q) {
    return q.index + 1 < q.queries ? Honest::end(a, q) + 1 : Honest::end(a, q);
  }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
