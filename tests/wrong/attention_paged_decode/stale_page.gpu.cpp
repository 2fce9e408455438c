// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The page of the key before
//   when: window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0 && rope == 0 && k_scale == 1 && v_scale == 1

// expect: wrong
// Looked up one step too late: wrong for the first key of each page but the first.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static std::int64_t page(const problem::Arguments& a, std::int64_t first, std::int64_t key) {
    return Honest::page(a, first, key > 0 ? key - 1 : 0);
  }
};
struct Contestant : Decoder<Wrong> {};
}  // namespace
