// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// The element types of tensors.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace podium::problem {

enum class Dtype : std::uint8_t {
  f64,
  f32,
  f16,
  bf16,
  i64,
  i32,
  i16,
  i8,
  u64,
  u32,
  u16,
  u8,
  boolean,
  e4m3,  // OCP OFP8: no infinities
  e5m2,
  e4m3_fnuz,  // finite, one NaN, unsigned zero, bias one higher: gfx940's
  e5m2_fnuz,
  e8m0,  // OCP MX's scales: powers of two, neither sign nor zero
  e2m1,  // OCP MX's FP4: neither infinities nor NaN; two share a byte
};
inline constexpr int dtypes = static_cast<int>(Dtype::e2m1) + 1;

struct DtypeInfo {
  std::string_view name;  // as in YAML: "f32", "bool"
  std::string_view cpp;   // as in a contestant: "float", "podium::bf16"
  int bytes;              // of the smallest piece in memory: one element, or a pair of e2m1
  bool floating;
  double eps;              // spacing above 1; 0 for integers
  double smallest_normal;  // 0 for integers
  double largest;          // largest finite value
  int bits = 8 * bytes;    // of one element
};

const DtypeInfo& info(Dtype dtype);
std::optional<Dtype> dtype_named(std::string_view name);
// The lowest finite value; of e8m0 that is above 0.
double lowest(Dtype dtype);
// The largest n such that it holds every whole number from 0 to n.
double every_whole(Dtype dtype);
// Whether a floating dtype holds exactly this number, which lies between its lowest and its largest.
bool represents(Dtype dtype, double number);
// Whether two elements share a byte: along the last axis, the first of them in the low half.
inline bool packed(Dtype dtype) { return dtype == Dtype::e2m1; }

}  // namespace podium::problem
