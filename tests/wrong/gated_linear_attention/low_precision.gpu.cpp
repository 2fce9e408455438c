// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: The state in the next lower format

// expect: wrong
// bf16 where the dtype is bf16, f16 where it is f32, rounded at every step.
#include "honest.hpp"

namespace {
struct Wrong : Honest {
  using State = std::conditional_t<std::is_same_v<real, float>, podium::f16, real>;
};
struct Contestant : Walker<Wrong> {
  using Walker::Walker;
};
}  // namespace
