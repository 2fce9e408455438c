// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: ALiBi with the slope of the next head
//   types: { real: [bf16], kv: [bf16] }
//   when: alibi == 1

// expect: wrong
// Each head has its own.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float slope(const problem::Arguments& a, std::int64_t head) {
    return Honest::slope(a, (head + 1) % a.heads);
  }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
