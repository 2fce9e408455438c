// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Causal mask that begins at the first key
//   types: { real: [bf16], kv: [bf16] }
//   when: q_longest <= 50 && causal == 1

// expect: wrong
// Right where a request has as many queries as keys.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static std::int64_t end(const problem::Arguments& a, const Query& q) {
    return a.causal != 0 ? q.index + 1 : q.keys;
  }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
