// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Gram and Schmidt's method, once

// expect: wrong
// q r is a to the last digit, but the columns of q are orthogonal only as far as those of a are independent:
// half the work, and wrong where it matters.
#include "orthogonalise.hpp"

namespace {
struct Once : Right {
  static constexpr int times = 1;
};
struct Contestant : Orthogonal<Once> {};
}  // namespace
