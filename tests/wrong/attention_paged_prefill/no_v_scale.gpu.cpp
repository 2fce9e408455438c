// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The scale of values is forgotten
//   types: { real: [bf16], kv: [bf16] }
//   when: v_scale != 1

// expect: wrong
// Right where it is 1.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float v_scale(const problem::Arguments&) { return 1; }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
