// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Products rounded to bf16

// expect: wrong
// As updates on matrix units in bf16 are.
#include "orthogonalise.hpp"

namespace {
struct Narrow : Right {
  __device__ static real kept(real x) { return podium::cast<float>(podium::cast<podium::bf16>(float(x))); }
};
struct Contestant : Orthogonal<Narrow> {};
}  // namespace
