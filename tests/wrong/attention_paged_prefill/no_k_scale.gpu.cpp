// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The scale of keys is forgotten
//   types: { real: [bf16], kv: [bf16] }
//   when: k_scale != 1

// expect: wrong
// Right where it is 1.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float k_scale(const problem::Arguments&) { return 1; }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
