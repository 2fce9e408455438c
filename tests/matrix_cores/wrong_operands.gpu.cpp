// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Operands of RDNA 3 given to RDNA 4: must be caught" }
#define PODIUM_WARP 32
#include "emulated.hpp"

namespace {
// Both halves of the wave hold the same k, as they do on gfx11.
struct Wrong : matrix_cores::Wmma12 {
  static constexpr int first(int) { return 0; }
};
using Contestant = matrix_cores::Contestant<documented::Core<Wrong, documented::Wmma12>>;
}  // namespace
