// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// How programs start a kernel of CUTLASS, and how far from fp64 it may be.
#pragma once
#include <cutlass/cutlass.h>

#include "checked.hpp"

namespace checked {

// Of the sum of a dot product's terms without their signs: f32 sums of a few hundred, in any order.
constexpr double share = 2e-6;

inline void succeed(cutlass::Status status, const char* what) {
  if (status == cutlass::Status::kSuccess) return;
  std::printf("%s: %s\n", what, cutlassGetStatusString(status));
  std::exit(1);
}

template <class Gemm>
void launch(const typename Gemm::Arguments& arguments) {
  Gemm gemm;
  char* const workspace = on_device(std::vector<char>(Gemm::get_workspace_size(arguments) + 256));
  succeed(gemm.can_implement(arguments), "can_implement");
  succeed(gemm.initialize(arguments, workspace), "initialize");
  succeed(gemm.run(), "run");
}

}  // namespace checked
