// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The last page is taken whole
//   when: window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0 && rope == 0 && k_scale == 1 && v_scale == 1

// expect: wrong
// What lies behind a request's last token belongs to nobody.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static std::int64_t keys(const problem::Arguments& a, std::int64_t pages, std::int64_t) {
    return pages * a.page_size;
  }
};
struct Contestant : Decoder<Wrong> {};
}  // namespace
