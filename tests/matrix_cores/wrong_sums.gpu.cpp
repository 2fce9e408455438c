// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium: { title: "Sums of a 32 x 32 instruction taken for rows in order: must be caught" }
#define PODIUM_WARP 64
#include "emulated.hpp"

namespace {
// Rows in order, eight by eight: what one would expect, and what no MFMA does.
struct Wrong : matrix_cores::Mfma<8> {
  static constexpr matrix_cores::Place sum(int lane, int i) { return {lane / 32 * 16 + i, lane % 32}; }
};
using Contestant = matrix_cores::Contestant<documented::Core<Wrong, documented::Mfma8>>;
}  // namespace
