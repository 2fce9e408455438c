// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: RoPE, queries one position too far
//   types: { real: [bf16], kv: [bf16] }
//   when: rope == 1

// expect: wrong
// As if positions counted from 1 for queries and from 0 for keys.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float distance(const Query& q, std::int64_t key) { return Honest::distance(q, key) + 1; }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
