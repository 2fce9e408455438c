// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What the generator would write for y[i, j] = factor * x[i, j] + shift[i], with axes, a parameter, a
// constant and structure; by hand, so that the SDK is tested without the generator. SCALE_REAL is the choice
// of types.
#pragma once
#include <podium/wire.hpp>

namespace problem {

using real = SCALE_REAL;
inline constexpr std::int64_t most_rows = 64;

struct Workload {
  std::int64_t rows, cols;
  float factor;
  podium::Structure<std::int32_t, 1> shift;  // [rows]
};
struct Arguments : Workload {
  podium::Tensor<const real, 2> x;  // [rows, cols]
  podium::Tensor<real, 2> y;        // [rows, cols]
};

inline constexpr const char* hash = "scale-by-hand";

inline Workload workload(const podium::wire::Workload& w) {
  return {w.axes[0], w.axes[1], static_cast<float>(w.parameters[0]),
          podium::wire::both<std::int32_t, 1>(w.structure[0])};
}
inline Arguments arguments(const podium::wire::Workload& w, const podium::wire::Tensor* t) {
  return {workload(w), podium::wire::view<const real, 2>(t[0]), podium::wire::view<real, 2>(t[1])};
}

}  // namespace problem
