// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// podium:
//   title: Householder's reflections, one block a matrix
//   author: Podium

// A reflection 1 - tau v vᵀ with v(k) = 1 turns column k of what is left of the matrix into one element, the
// product of all reflections is q. q's own memory holds r and, below its diagonal, the vectors v at first;
// from the last to the first they are then multiplied out in place. A reflection is applied to 32 columns at
// a time, by 32 threads each: the elements that a warp reads lie side by side.
#include <podium/qr.hpp>

namespace {
using problem::real;
using Matrices = podium::Tensor<real, 3>;
constexpr int across = 32, down = 32, block = across * down;

// The sum of v over the block, for every thread of it.
__device__ real over_block(real v) {
  __shared__ real part[block];
  __syncthreads();  // before what others may still read from the last time is overwritten
  part[threadIdx.x] = v;
  for (int half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  __syncthreads();
  return part[0];
}

// The sum of v over the threads of a column.
__device__ real over_column(real v, int column, int lane) {
  __shared__ real part[down][across];
  __syncthreads();
  part[lane][column] = v;
  for (int half = down / 2; half > 0; half /= 2) {
    __syncthreads();
    if (lane < half) part[lane][column] += part[lane + half][column];
  }
  __syncthreads();
  return part[0][column];
}

// Columns right of k, from row k on.
__device__ void reflect(const Matrices& q, std::int64_t b, std::int64_t k, real tau) {
  const std::int64_t rows = q.extent(1), cols = q.extent(2);
  const int column = int(threadIdx.x) % across, lane = int(threadIdx.x) / across;
  for (std::int64_t left = k + 1; left < cols; left += across) {
    const std::int64_t j = left + column;
    real product = 0;
    if (j < cols) {
      if (lane == 0) product = q(b, k, j);
      for (std::int64_t i = k + 1 + lane; i < rows; i += down) product += q(b, i, k) * q(b, i, j);
    }
    product = tau * over_column(product, column, lane);
    if (j < cols) {
      if (lane == 0) q(b, k, j) -= product;
      for (std::int64_t i = k + 1 + lane; i < rows; i += down) q(b, i, j) -= q(b, i, k) * product;
    }
  }
}

__global__ void __launch_bounds__(block)
    householder(podium::Tensor<const real, 3> a, Matrices q, Matrices r, real* taus) {
  const std::int64_t b = blockIdx.x, rows = q.extent(1), cols = q.extent(2), first = threadIdx.x;
  for (std::int64_t at = first; at < rows * cols; at += block)
    q(b, at / cols, at % cols) = a(b, at / cols, at % cols);
  for (std::int64_t k = 0; k < cols; ++k) {
    __syncthreads();
    real below = 0, tau = 0;
    for (std::int64_t i = k + 1 + first; i < rows; i += block) below += q(b, i, k) * q(b, i, k);
    below = over_block(below);
    if (below > 0) {  // else there is nothing to turn
      const real head = q(b, k, k), length = sqrt(head * head + below);
      const real left = head < 0 ? length : -length;  // of the two signs the one with which nothing cancels
      tau = (left - head) / left;
      __syncthreads();  // before anybody overwrites what all have read
      for (std::int64_t i = k + 1 + first; i < rows; i += block) q(b, i, k) /= head - left;
      if (first == 0) q(b, k, k) = left;
    }
    if (first == 0) taus[b * cols + k] = tau;
    __syncthreads();
    reflect(q, b, k, tau);
  }
  __syncthreads();
  for (std::int64_t at = first; at < cols * cols; at += block) {
    const std::int64_t i = at / cols, j = at % cols;
    r(b, i, j) = j < i ? real(0) : q(b, i, j);
    if (j > i) q(b, i, j) = 0;
  }
  for (std::int64_t k = cols - 1; k >= 0; --k) {
    __syncthreads();
    const real tau = taus[b * cols + k];
    reflect(q, b, k, tau);
    __syncthreads();
    for (std::int64_t i = k + first; i < rows; i += block) q(b, i, k) = i == k ? 1 - tau : -tau * q(b, i, k);
  }
}

struct Contestant {
  real* taus;

  Contestant(const problem::Workload& w, podium::Workspace& workspace)
      : taus(workspace.device<real>(std::size_t(w.batch * w.cols))) {}

  void run(const problem::Arguments& args, podium::Stream stream) {
    if (args.batch == 0) return;
    podium::launch(householder, dim3(unsigned(args.batch)), dim3(block), 0, stream, args.a, args.q, args.r,
                   taus);
  }
};
}  // namespace
