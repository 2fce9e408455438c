// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: dk and dv of one head a group
//   when: heads > kv_heads && len <= 100

// expect: wrong
// As if heads of a group overwrote each other. Right without groups.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static std::int64_t first_head(std::int64_t g, std::int64_t group) {
    return (g + 1) * group - 1;
  }
};
struct Contestant : Backward<Wrong> {};
}  // namespace
