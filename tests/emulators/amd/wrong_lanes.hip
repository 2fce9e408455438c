// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: "The matrix product of mfma.hip with the rows of its sums taken from the wrong lanes: must be caught"
//   arch: [gfx90a, gfx942, gfx950]

// The name that mfma.hip gives to itself, and to the template behind it, is kept for what is wrong here.
#define Contestant Right
#include "../../../kernels/matmul/mfma.hip"
#undef Contestant

namespace {

// The halves of a wave have rows by sixteens, where they have them by fours in turn.
struct Wrong : Core {
  static constexpr matrix_cores::Place sum(int lane, int i) { return {i + lane / 32 * 16, lane % 32}; }
};

using Contestant = matrix_cores::Right<Wrong>;

}  // namespace
