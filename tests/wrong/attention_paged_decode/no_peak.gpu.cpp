// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Exponentials of the scores as they are
//   when: window_left < 0 && soft_cap == 0 && alibi == 0 && sinks == 0 && rope == 0 && k_scale == 1 && v_scale == 1

// expect: wrong
// Right until a score is beyond 88.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  __device__ static float higher(float, float) { return 0; }
};
struct Contestant : Decoder<Wrong> {};
}  // namespace
