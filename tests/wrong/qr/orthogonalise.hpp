// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Gram and Schmidt's method, modified, by one thread a matrix, as many times over as a contestant chooses;
// twice is right unless a is singular. A helper: no contestant.
#pragma once
#include <podium/qr.hpp>

namespace {
using problem::real;
using Matrices = podium::Tensor<real, 3>;

// How, all static: kept(x), what is kept of a product of two elements; times, how often a column is made
// orthogonal to those before it; matrix(b), the matrix that b's thread reads; end(j), where
// the columns end that are taken away from column j.
struct Right {
  static constexpr int times = 2;
  __device__ static real kept(real x) { return x; }
  __device__ static std::int64_t matrix(std::int64_t b) { return b; }
  __device__ static std::int64_t end(std::int64_t j) { return j; }
};

template <class How>
__global__ void orthogonalise(podium::Tensor<const real, 3> a, Matrices q, Matrices r) {
  const std::int64_t b = blockIdx.x, rows = q.extent(1), cols = q.extent(2);
  for (std::int64_t j = 0; j < cols; ++j) {
    for (std::int64_t i = 0; i < rows; ++i) q(b, i, j) = a(How::matrix(b), i, j);
    for (std::int64_t k = 0; k < cols; ++k) r(b, k, j) = 0;
    for (int time = 0; time < How::times; ++time)
      for (std::int64_t k = 0; k < How::end(j); ++k) {
        real product = 0;
        for (std::int64_t i = 0; i < rows; ++i) product += How::kept(q(b, i, k) * q(b, i, j));
        for (std::int64_t i = 0; i < rows; ++i) q(b, i, j) -= How::kept(product * q(b, i, k));
        r(b, k, j) += product;
      }
    real square = 0;
    for (std::int64_t i = 0; i < rows; ++i) square += q(b, i, j) * q(b, i, j);
    const real length = sqrt(square);
    r(b, j, j) = length;
    for (std::int64_t i = 0; i < rows; ++i) q(b, i, j) /= length > 0 ? length : real(1);
  }
}

template <class How>
struct Orthogonal {
  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch == 0) return;
    podium::launch(orthogonalise<How>, dim3(unsigned(args.batch)), dim3(1), 0, stream, args.a, args.q,
                   args.r);
  }
};

// The right answer, spoilt in each matrix by spoil(q, r, b).
template <class Spoil>
__global__ void spoil(Matrices q, Matrices r) {
  Spoil::spoil(q, r, std::int64_t(blockIdx.x));
}
template <class Spoil>
struct Spoilt : Orthogonal<Right> {
  void run(const problem::Arguments& args, podium::Stream stream) {
    Orthogonal<Right>::run(args, stream);
    if (args.batch > 0)
      podium::launch(spoil<Spoil>, dim3(unsigned(args.batch)), dim3(1), 0, stream, args.q, args.r);
  }
};
}  // namespace
