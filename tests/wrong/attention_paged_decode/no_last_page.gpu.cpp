// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The last page is left out
//   when: window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0 && rope == 0 && k_scale == 1 && v_scale == 1

// expect: wrong
// Right if it is empty, which it never is.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static std::int64_t keys(const problem::Arguments& a, std::int64_t pages, std::int64_t) {
    return (pages - 1) * a.page_size;
  }
};
struct Contestant : Decoder<Wrong> {};
}  // namespace
