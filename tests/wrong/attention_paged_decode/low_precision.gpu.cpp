// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sums kept in the dtype
//   when: window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0 && rope == 0 && k_scale == 1 && v_scale == 1 && shortest > 1000

// expect: wrong
// Weights and weighted values are added up in the dtype of the query.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  using Sum = real;
};
struct Contestant : Decoder<Wrong> {};
}  // namespace
