// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The sink is left out
//   types: { real: [bf16], kv: [bf16] }
//   when: sinks == 1

// expect: wrong
// Weights add up to 1, as they should not.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float total(float of_keys, float) { return of_keys; }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
