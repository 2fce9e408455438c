// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The sink counts twice
//   types: { real: [bf16], kv: [bf16] }
//   when: sinks == 1

// expect: wrong
// As if each of two parts that are joined had begun with it.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float total(float of_keys, float of_sink) { return of_keys + 2 * of_sink; }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
