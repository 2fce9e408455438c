// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Heads go round the key heads
//   when: window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0 && rope == 0 && k_scale == 1 && v_scale == 1

// expect: wrong
// Query heads of a group are neighbours; here they are kv_heads apart.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static std::int64_t kv_head(const problem::Arguments& a, std::int64_t head) {
    return head % a.kv_heads;
  }
};
struct Contestant : Decoder<Wrong> {};
}  // namespace
