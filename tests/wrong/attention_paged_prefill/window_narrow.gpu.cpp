// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Window, one key too few
//   types: { real: [bf16], kv: [bf16] }
//   when: window_left > 0

// expect: wrong
// As if the window counted the query itself.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static std::int64_t begin(const problem::Arguments& a, const Query& q) {
    return Honest::begin(a, q) > 0 ? Honest::begin(a, q) + 1 : 0;
  }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
