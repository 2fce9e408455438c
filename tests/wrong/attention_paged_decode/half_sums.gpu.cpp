// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sums kept in fp16
//   when: window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0 && rope == 0 && k_scale == 1 && v_scale == 1 && shortest > 1000

// expect: wrong
// As tensor cores add up if asked to: good enough for a few hundred keys.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  using Sum = podium::f16;
};
struct Contestant : Decoder<Wrong> {};
}  // namespace
