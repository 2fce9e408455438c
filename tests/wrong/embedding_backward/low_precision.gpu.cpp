// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Sums kept in bf16

// expect: wrong
// As with a table of gradients in the dtype of the model.
#include "columns.hpp"

namespace {
struct Narrow {
  static constexpr float first = 0;
  __device__ static float joined(float sum, float term) {
    return podium::cast<float>(podium::cast<podium::bf16>(sum + term));
  }
};
struct Contestant : Columns<Narrow> {};
}  // namespace
