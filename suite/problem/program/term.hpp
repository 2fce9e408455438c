// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What terms are written with: functions over fp64 and int64, and numbers that carry their magnitude along.
#pragma once
#include "index.hpp"
#include "numbers.hpp"

namespace podium::program {

#if PODIUM_GPU
#define PODIUM_MATH(NAME, ...) ::NAME(__VA_ARGS__)
#else
#define PODIUM_MATH(NAME, ...) __builtin_##NAME(__VA_ARGS__)
#endif
PODIUM_DEVICE double absolute(double x) { return PODIUM_MATH(fabs, x); }
PODIUM_DEVICE double larger(double a, double b) { return a > b ? a : b; }

// What an error of this size makes of a function of this slope. An exact number has no error however steep
// the function, and a flat one passes none on: 0 times infinity is 0 here.
PODIUM_DEVICE double passed(double slope, double magnitude) {
  return slope == 0 || magnitude == 0 ? 0 : absolute(slope) * magnitude;
}

// A value and its magnitude: the size that the rounding errors behind it are relative to, to first order.
// Sums and differences add magnitudes; of a product, a quotient or a smooth function the largest counts of
// what each operand passes on with its slope and of the value itself.
struct Number {
  double value, magnitude;
  Number() = default;
  PODIUM_DEVICE Number(double v, double m) : value(v), magnitude(m) {}
  template <class T, enable_if<is_floating<T> || is_integral<T> || is_index<T>> = 0>
  PODIUM_DEVICE Number(T x) : value(double(x)), magnitude(absolute(value)) {}
  // Asked for as another type, as in i64(floor(x)) or x ? a : b, it counts by its own size from there on.
  template <class T, enable_if<is_floating<T> || is_integral<T>> = 0>
  PODIUM_DEVICE explicit operator T() const {
    return T(value);
  }

  PODIUM_DEVICE friend Number operator+(Number a) { return a; }
  PODIUM_DEVICE friend Number operator-(Number a) { return {-a.value, a.magnitude}; }
  PODIUM_DEVICE friend Number operator+(Number a, Number b) {
    return {a.value + b.value, a.magnitude + b.magnitude};
  }
  PODIUM_DEVICE friend Number operator-(Number a, Number b) {
    return {a.value - b.value, a.magnitude + b.magnitude};
  }
  // Where the factors all but vanish, as differences of equal numbers do, what both errors make of it counts,
  // for sums in half precision.
  PODIUM_DEVICE friend Number operator*(Number a, Number b) {
    constexpr double rounding = 1.0 / 2048;
    return {a.value * b.value, larger(larger(passed(b.value, a.magnitude), passed(a.value, b.magnitude)),
                                      passed(rounding * a.magnitude, b.magnitude))};
  }
  PODIUM_DEVICE friend Number operator/(Number a, Number b) {
    const double y = a.value / b.value;
    return {y,
            larger(a.magnitude == 0 ? 0 : a.magnitude / absolute(b.value), passed(y / b.value, b.magnitude))};
  }
  PODIUM_DEVICE Number& operator+=(Number b) { return *this = *this + b; }
  PODIUM_DEVICE Number& operator-=(Number b) { return *this = *this - b; }
  PODIUM_DEVICE Number& operator*=(Number b) { return *this = *this * b; }
  PODIUM_DEVICE Number& operator/=(Number b) { return *this = *this / b; }
  PODIUM_DEVICE friend bool operator<(Number a, Number b) { return a.value < b.value; }
  PODIUM_DEVICE friend bool operator>(Number a, Number b) { return a.value > b.value; }
  PODIUM_DEVICE friend bool operator<=(Number a, Number b) { return a.value <= b.value; }
  PODIUM_DEVICE friend bool operator>=(Number a, Number b) { return a.value >= b.value; }
  PODIUM_DEVICE friend bool operator==(Number a, Number b) { return a.value == b.value; }
  PODIUM_DEVICE friend bool operator!=(Number a, Number b) { return a.value != b.value; }
};

template <class T>
inline constexpr bool is_number = is_same<T, Number>;

// Numbers as the judge keeps them: double, u64, i64 for every other integer, Number.
template <class T, enable_if<is_number<T> || is_floating<T> || is_integral<T> || is_index<T>> = 0>
PODIUM_DEVICE auto plain(T x) {
  if constexpr (is_number<T> || is_same<T, double>)
    return x;
  else if constexpr (is_floating<T>)
    return double(x);
  else if constexpr (is_unsigned_64<T>)
    return u64(x);
  else
    return i64(x);
}
template <class T>
using Plain = decltype(plain(T{}));

template <class T>
PODIUM_DEVICE double value_of(T x) {
  if constexpr (is_number<T>)
    return x.value;
  else
    return double(x);
}
template <class T>
PODIUM_DEVICE double magnitude_of(T x) {
  return Number(x).magnitude;
}

// y = f(x) and |f'(x)|; an error of x grows by the slope, and y brings its own.
PODIUM_DEVICE Number sloped(Number x, double y, double slope) {
  return {y, larger(absolute(y), passed(slope, x.magnitude))};
}
#define PODIUM_FUNCTION(NAME, SLOPE)                               \
  template <class T>                                               \
  PODIUM_DEVICE auto NAME(T argument) {                            \
    const double x = value_of(argument), y = PODIUM_MATH(NAME, x); \
    if constexpr (is_number<T>)                                    \
      return sloped(argument, y, SLOPE);                           \
    else                                                           \
      return y;                                                    \
  }
PODIUM_FUNCTION(exp, y)
PODIUM_FUNCTION(log, 1 / x)
PODIUM_FUNCTION(log2, 1.4426950408889634 / x)
PODIUM_FUNCTION(sin, PODIUM_MATH(cos, x))
PODIUM_FUNCTION(cos, PODIUM_MATH(sin, x))
PODIUM_FUNCTION(tanh, 1 - y * y)
PODIUM_FUNCTION(erf, 1.1283791670955126 * PODIUM_MATH(exp, -x* x))
PODIUM_FUNCTION(floor, 1)
PODIUM_FUNCTION(ceil, 1)
#undef PODIUM_FUNCTION

// Near 0 its slope has no bound, but its error has: an error e of x makes one of at most sqrt(e).
template <class T>
PODIUM_DEVICE auto sqrt(T argument) {
  const double y = PODIUM_MATH(sqrt, value_of(argument));
  if constexpr (is_number<T>) {
    constexpr double of_f32 = 4096;  // 1 / sqrt(its rounding)
    const double most = of_f32 * PODIUM_MATH(sqrt, argument.magnitude);
    // Twice the slope: 1 / (2 y) would understate it beside y itself.
    const double steep = passed(1 / y, argument.magnitude);
    return Number(y, larger(y, steep < most ? steep : most));
  } else {
    return y;
  }
}

// Stands for an element type in a term: round_to(bf16, v).
template <class T>
struct ElementType {};
// To the nearest number of a floating element type, once.
template <class T, class V>
PODIUM_DEVICE auto round_to(ElementType<T>, V v) {
  static_assert(is_float_element<T>, "found round_to a whole dtype, expected a floating one, as in bf16");
  const double x = value_of(v), y = widen(narrow<T>(x));
  if constexpr (is_number<V>)
    return sloped(v, y, 1);
  else
    return y;
}

// Long, and called from several places of a kernel: written once. Constant exponents are mostly 2.
PODIUM_SHARED double power_of(double x, double p) { return PODIUM_MATH(pow, x, p); }
PODIUM_DEVICE double power(double x, double p) { return p == 1 ? x : p == 2 ? x * x : power_of(x, p); }
template <class T, class U>
PODIUM_DEVICE auto pow(T base, U exponent) {
  const double x = value_of(base), p = value_of(exponent), y = power(x, p);
  Number result(y);
  if constexpr (is_number<T>) result = sloped(base, y, p * power(x, p - 1));
  if constexpr (is_number<U>)
    if (x > 0)
      result.magnitude = larger(result.magnitude, passed(y * PODIUM_MATH(log, x), exponent.magnitude));
  if constexpr (is_number<T> || is_number<U>)
    return result;
  else
    return y;
}
template <class T>
PODIUM_DEVICE auto ldexp(T x, i64 exponent) {
  const int power = exponent > 4096 ? 4096 : exponent < -4096 ? -4096 : int(exponent);
  if constexpr (is_number<T>)
    return Number(PODIUM_MATH(ldexp, x.value, power), PODIUM_MATH(ldexp, x.magnitude, power));
  else
    return PODIUM_MATH(ldexp, value_of(x), power);
}
template <class T>
PODIUM_DEVICE auto abs(T x) {
  if constexpr (is_number<T>)
    return Number(absolute(x.value), x.magnitude);
  else if constexpr (is_same<Plain<T>, double>)
    return absolute(double(x));
  else {
    const auto p = plain(x);
    return p < 0 ? -p : p;
  }
}

// What a body returns, where magnitudes are counted: reals as Numbers, so that all returns are of one type.
template <class T>
PODIUM_DEVICE auto counted(T x) {
  if constexpr (is_floating<T>)
    return Number(x);
  else
    return x;
}

// The smaller or larger of two; NaN wins, so that it is never lost on the way.
template <class T, class U>
using Common = decltype(plain(T{}) + plain(U{}));
template <class C>
PODIUM_DEVICE C lower_of(C a, C b) {
  return b < a || b != b ? b : a;
}
template <class C>
PODIUM_DEVICE C upper_of(C a, C b) {
  return b > a || b != b ? b : a;
}
// A rounding error may let another one win: how far each could reach tells what the winner's error may be.
// The largest error that is thought of, relative to a magnitude: it exceeds growth times eps of any sane
// tolerance.
inline constexpr double largest_error = 1.0 / 16;
PODIUM_DEVICE double reach_up(Number x) {
  return is_finite(x.magnitude) ? x.value + largest_error * x.magnitude : x.value;
}
PODIUM_DEVICE double reach_down(Number x) {
  return is_finite(x.magnitude) ? x.value - largest_error * x.magnitude : x.value;
}
PODIUM_DEVICE Number reached(double value, double reach) {
  return {value, is_finite(value) ? absolute(reach - value) / largest_error : 0};
}
PODIUM_DEVICE Number lower_of(Number a, Number b) {
  return reached(lower_of(a.value, b.value), lower_of(reach_down(a), reach_down(b)));
}
PODIUM_DEVICE Number upper_of(Number a, Number b) {
  return reached(upper_of(a.value, b.value), upper_of(reach_up(a), reach_up(b)));
}
template <class T, class U>
PODIUM_DEVICE auto min(T a, U b) {
  return lower_of(Common<T, U>(plain(a)), Common<T, U>(plain(b)));
}
template <class T, class U>
PODIUM_DEVICE auto max(T a, U b) {
  return upper_of(Common<T, U>(plain(a)), Common<T, U>(plain(b)));
}
// a / b rounded up, given what C++ makes of it: that is rounded towards zero.
PODIUM_DEVICE i64 rounded_up(i64 a, i64 b, i64 quotient) {
  const i64 product = i64(u64(quotient) * u64(b));
  return b != 0 && product != a && (a < 0) == (b < 0) ? quotient + 1 : quotient;
}
template <class T>
inline constexpr bool is_whole = is_integral<T> || is_index<T>;
template <class A, class B>
PODIUM_DEVICE i64 ceil_div(A a, B b) {
  static_assert(is_whole<A> && is_whole<B>, "found a real number in ceil_div, expected whole ones");
  return rounded_up(i64(plain(a)), i64(plain(b)), i64(plain(a)) / i64(plain(b)));
}
PODIUM_DEVICE double infinity_value() { return double_of(u64(0x7ff) << 52); }

}  // namespace podium::program
