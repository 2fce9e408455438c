// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: RoPE of neighbouring elements
//   types: { real: [bf16], kv: [bf16] }
//   when: rope == 1

// expect: wrong
// As GPT-J pairs them; Llama pairs the halves.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static std::int64_t first_of_pair(std::int64_t pair) { return 2 * pair; }
  __device__ static std::int64_t second_of_pair(std::int64_t pair, std::int64_t) { return 2 * pair + 1; }
};
struct Contestant : Attention<Wrong> {
  using Attention::Attention;
};
}  // namespace
