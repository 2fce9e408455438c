// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Sums of products as tensor cores make them. All products of a dot product and the accumulator are aligned
// to the largest exponent among them, cut off behind a number of bits, and added exactly; the sum is cut off
// again where D is f32, and rounded to nearest where it is f16. An H200's answers to wgmma and mma.sync are
// these, bit for bit.
#pragma once
#include <vector>

#include "emulators/nvidia/device/matrices.hpp"
#include "emulators/nvidia/device/types.hpp"

namespace podium::ptx {

struct Accumulation {
  int fraction;     // bits kept below the largest exponent
  int significant;  // bits of a result in f32
};
inline constexpr Accumulation wide_sum{25, 24};
inline constexpr Accumulation hopper_fp8_sum{13, 14};  // wgmma of e4m3 and e5m2

// Rows of k elements of a matrix operand, taken apart into significand and exponent.
class MatrixOperand {
 public:
  MatrixOperand(u32 rows, u32 k);

  u32 rows() const { return static_cast<u32>(special_.size()); }
  u32 k() const { return k_; }
  void set(u32 row, u32 k, f32 value);
  void set_row(u32 row, u32 k, const f32* values, u32 count);     // from k on
  void set_column(u32 row, u32 k, const f32* values, u32 count);  // from that row on
  f32 get(u32 row, u32 k) const { return values_[row * k_ + k]; }
  void negate();
  // The same rows of fewer elements along k: those of these numbers, in this order.
  MatrixOperand taken(const std::vector<u32>& places) const;
  // Multiplies elements [first, first + count) of a row: by a scale factor of at most 8 significant bits.
  void scale(u32 row, u32 first, u32 count, f32 factor);

  const f32* values(u32 row) const { return &values_[static_cast<std::size_t>(row) * k_]; }
  const s16* significands(u32 row) const { return &significands_[row * k_]; }
  const s16* exponents(u32 row) const { return &exponents_[row * k_]; }
  bool special(u32 row) const { return special_[row]; }  // holds an infinity or a NaN

 private:
  u32 k_;
  std::vector<f32> values_;
  std::vector<s16> significands_, exponents_;  // significand * 2^(exponent - 10); 0 has the least exponent
  std::vector<bool> special_;
};

// Integer elements; the sum wraps, or stays at the limits if `saturate`.
s32 dot_integers(const MatrixOperand& a, u32 m, const MatrixOperand& b, u32 n, s32 c, bool saturate);

// One accumulator word as the type d has it: f32, s32, or f16 in the low half.
u32 dot_as(Element d, const MatrixOperand& a, u32 m, const MatrixOperand& b, u32 n, u32 c, Accumulation how,
           bool saturate);

// Two accumulator words of type f32 or f16 added, rounded to nearest.
u32 sum_of(Element type, u32 x, u32 y);

}  // namespace podium::ptx
