// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// .ftz of inexact results (PTX ISA 9.7.3, 9.7.4). An H200 makes a zero of what is below the least normal
// number when it is rounded to the format's digits with an exponent as small as it needs; rounded to a
// subnormal's digits, some of that would become the least normal number. Whether it does is seen in a result
// that is `scale` times as large.
#pragma once
#include "emulators/nvidia/device/floating.hpp"

namespace podium::ptx {

template <class T>
inline constexpr f32 scale_of = std::is_same_v<T, f16> ? 0x1p10f : 0x1p64f;
inline f32 scaled(f32 a) { return a * scale_of<f32>; }
inline f16 scaled(f16 a) { return half_of(float_of(a) * scale_of<f16>); }
template <class T>
inline unsigned_of<T> magnitude(T a) {
  return static_cast<unsigned_of<T>>(bits<unsigned_of<T>>(a) & ~sign_bit<T>);
}
template <class T>
inline T flushed(T result, T larger) {
  return magnitude(larger) < magnitude(scaled(result))
             ? bits<T>(static_cast<unsigned_of<T>>(bits<unsigned_of<T>>(result) & sign_bit<T>))
             : result;
}
template <class T>
inline T least_normal() {
  return bits<T>(static_cast<unsigned_of<T>>(std::is_same_v<T, f16> ? 0x400 : 0x800000));
}
template <class T>
inline T operated(Operation operation, Rounding mode, T a, T b, T c) {
  if constexpr (std::is_same_v<T, f32>) {
    if (mode != Rounding::nearest) return rounded(operation, mode, a, b, c);
    if (operation == Operation::div) return div(a, b);
    if (operation == Operation::rcp) return div(1.0f, a);
  }
  return operation == Operation::mul ? mul(a, b) : fma(a, b, c);
}
template <class T>
inline std::enable_if_t<!is_pair<T>, T> flushed(Operation operation, Rounding mode, T a, T b, T c) {
  const T result = operated(operation, mode, a, b, c);
  if (magnitude(result) != bits<unsigned_of<T>>(least_normal<T>())) return ftz(result);
  // Scaled is the smaller factor; where the result is inexact, neither that nor c becomes too large.
  if constexpr (std::is_same_v<T, f32>)
    if (operation == Operation::rcp)
      return flushed(result, operated(Operation::div, mode, scaled(1.0f), a, c));
  const bool first = operation == Operation::div || magnitude(a) < magnitude(b);
  return flushed(result, operated(operation, mode, first ? scaled(a) : a, first ? b : scaled(b), scaled(c)));
}
template <class P>
inline std::enable_if_t<is_pair<P>, P> flushed(Operation operation, Rounding mode, P a, P b, P c) {
  return {flushed(operation, mode, a.x, b.x, c.x), flushed(operation, mode, a.y, b.y, c.y)};
}
inline f32 flushed_to_f32(f64 a, Rounding mode) {
  const f32 result = rounded_to_f32(a, mode);
  if (magnitude(result) != bits<u32>(least_normal<f32>())) return ftz(result);
  return flushed(result, rounded_to_f32(a * scale_of<f32>, mode));
}

}  // namespace podium::ptx
