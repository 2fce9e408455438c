// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Element types and the one spelling of every conversion between them. f64, f32, integers and bool are C++'s
// types.
#pragma once
#include <podium/narrow_float.hpp>
#include <podium/platform.hpp>

#include <cstring>
#include <type_traits>
#if !defined(PODIUM_ON_CUDA) && !defined(PODIUM_ON_HIP)
#include <podium/small_float.hpp>
#endif

namespace podium {

#if defined(PODIUM_ON_CUDA)
using f16 = __half;
using bf16 = __nv_bfloat16;
#elif defined(PODIUM_ON_HIP)
using f16 = __half;
using bf16 = __hip_bfloat16;
#endif

namespace detail {

template <class T>
inline constexpr bool is_small = std::is_same_v<T, f16> || std::is_same_v<T, bf16> || is_narrow<T>;

PODIUM_BOTH float widen(float x) { return x; }
#if defined(PODIUM_ON_CUDA) || defined(PODIUM_ON_HIP)
PODIUM_BOTH float widen(f16 x) { return __half2float(x); }
PODIUM_BOTH float widen(bf16 x) { return __bfloat162float(x); }
PODIUM_BOTH void narrow(float x, f16& y) { y = __float2half_rn(x); }
PODIUM_BOTH void narrow(float x, bf16& y) { y = __float2bfloat16(x); }
#else
inline float widen(f16 x) { return x; }
inline float widen(bf16 x) { return x; }
inline void narrow(float x, f16& y) { y = f16(x); }
inline void narrow(float x, bf16& y) { y = bf16(x); }
#endif

// To float by rounding to odd: an inexact result gets an odd last bit. Rounding it again, to a format at
// least two bits shorter, gives the result of a single rounding.
PODIUM_BOTH float to_odd(float x) { return x; }
PODIUM_BOTH float to_odd(double x) {
  float nearest = static_cast<float>(x);
  const double back = nearest;
  if (back == x || x != x) return nearest;
  std::uint32_t bits;
  memcpy(&bits, &nearest, sizeof bits);
  bits -= (back < 0 ? -back : back) > (x < 0 ? -x : x);  // towards zero
  bits |= 1;
  memcpy(&nearest, &bits, sizeof bits);
  return nearest;
}
template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer>>>
PODIUM_BOTH float to_odd(Integer x) {
  if constexpr (sizeof x == 8) {  // 53 bits fit a double: below those, only whether there is anything counts
    constexpr Integer low = 0xFFF, limit = Integer{1} << 53;
    bool small = x < limit;
    if constexpr (std::is_signed_v<Integer>) small = small && x > -limit;
    if (!small) x = (x & ~low) | ((x & low) != 0 ? Integer{0x800} : Integer{0});
  }
  return to_odd(static_cast<double>(x));
}

}  // namespace detail

// Rounds once, to nearest, ties to even, for all types, on device and host. To an integer it truncates; to
// eight bits and fewer it saturates (narrow_float.hpp).
template <class To, class From>
PODIUM_BOTH To cast(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (detail::is_small<From>) {
    return cast<To>(detail::widen(x));
  } else if constexpr (detail::is_small<To>) {
    To y;
    detail::narrow(detail::to_odd(x), y);
    return y;
  } else {
    static_assert(!std::is_same_v<To, e2m1x2> && !std::is_same_v<From, e2m1x2>,
                  "a pair is not a number: cast low() and high(), join two with e2m1x2::of(low, high)");
    static_assert(std::is_arithmetic_v<To> && std::is_arithmetic_v<From>, "cast is between numbers");
    return static_cast<To>(x);
  }
}

}  // namespace podium
