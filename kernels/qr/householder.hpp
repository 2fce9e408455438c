// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Householder's method for one row-major matrix on the CPU. A helper: no contestant.
#pragma once
#include <podium/qr.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {
using problem::real;

// A reflection H = 1 - tau v vᵀ with v(k) = 1 turns column k of what is left into one element, and H_0 H_1 …
// is q. First q holds r and, below it, the vectors; then they are multiplied out from the last to the first.
class Householder {
 public:
  Householder(std::int64_t rows, std::int64_t cols)
      : rows_(rows), cols_(cols), tau_(std::size_t(cols)), product_(std::size_t(cols)) {}

  void factorise(const real* a, real* q, real* r) {
    std::copy(a, a + rows_ * cols_, q);
    for (std::int64_t k = 0; k < cols_; ++k) {
      tau_[std::size_t(k)] = begin(q, k);
      reflect(q, k);
    }
    for (std::int64_t i = 0; i < cols_; ++i)
      for (std::int64_t j = 0; j < cols_; ++j) r[i * cols_ + j] = j < i ? 0 : q[i * cols_ + j];
    for (std::int64_t k = cols_ - 1; k >= 0; --k) {
      std::fill(q + k * cols_ + k + 1, q + (k + 1) * cols_, real(0));  // r's; what follows is the identity's
      reflect(q, k);
      const real tau = tau_[std::size_t(k)];
      for (std::int64_t i = 0; i < rows_; ++i) {
        real& element = q[i * cols_ + k];
        element = i < k ? 0 : i == k ? 1 - tau : -tau * element;
      }
    }
  }

 private:
  // Of the signs that are free the one is taken with which nothing cancels.
  real begin(real* q, std::int64_t k) const {
    real below = 0;
    for (std::int64_t i = k + 1; i < rows_; ++i) below += q[i * cols_ + k] * q[i * cols_ + k];
    if (below == 0) return 0;
    real& head = q[k * cols_ + k];
    const real left = -std::copysign(std::sqrt(head * head + below), head), scale = 1 / (head - left);
    const real tau = (left - head) / left;
    for (std::int64_t i = k + 1; i < rows_; ++i) q[i * cols_ + k] *= scale;
    head = left;
    return tau;
  }

  // What is right of column k, from row k on, less tau v (vᵀ that); along rows, which compilers vectorise.
  void reflect(real* q, std::int64_t k) {
    const real tau = tau_[std::size_t(k)];
    real* const w = product_.data();
    std::copy(q + k * cols_ + k + 1, q + (k + 1) * cols_, w + k + 1);
    for (std::int64_t i = k + 1; i < rows_; ++i)
      for (std::int64_t j = k + 1; j < cols_; ++j) w[j] += q[i * cols_ + k] * q[i * cols_ + j];
    for (std::int64_t j = k + 1; j < cols_; ++j) q[k * cols_ + j] -= w[j] *= tau;
    for (std::int64_t i = k + 1; i < rows_; ++i)
      for (std::int64_t j = k + 1; j < cols_; ++j) q[i * cols_ + j] -= q[i * cols_ + k] * w[j];
  }

  std::int64_t rows_, cols_;
  std::vector<real> tau_, product_;
};
}  // namespace
