// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Pages in the order of requests
//   when: window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0 && rope == 0 && k_scale == 1 && v_scale == 1

// expect: wrong
// Right if the table of pages were 0, 1, 2 and so on.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static std::int64_t page(const problem::Arguments& a, std::int64_t first, std::int64_t key) {
    return first + key / a.page_size;
  }
};
struct Contestant : Decoder<Wrong> {};
}  // namespace
