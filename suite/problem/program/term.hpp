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

// The distance of neighbouring numbers of T at x, which is finite, below the smallest normal number as there.
// Towards zero from a power of two they are half as far apart as away from it.
template <class T>
PODIUM_DEVICE double step(double x, bool towards_zero) {
  const double size = larger(absolute(x), Limits<T>::smallest_normal);
  const double binade = double_of(bits_of(size) & double_infinity);
  const bool narrower = towards_zero && size == binade && size > Limits<T>::smallest_normal;
  return Limits<T>::eps * (narrower ? binade / 2 : binade);
}

// What an error of this size makes of a function of this slope. An exact number has no error however steep
// the function, and a flat one passes none on: 0 times infinity is 0 here.
PODIUM_DEVICE double passed(double slope, double magnitude) {
  return slope == 0 || magnitude == 0 ? 0 : absolute(slope) * magnitude;
}

struct Exact;

// A value and its magnitude: the size that the rounding errors behind it are relative to, to first order.
// Sums and differences add magnitudes; of a product, a quotient or a smooth function the largest counts of
// what each operand passes on with its slope and of the value itself.
struct Number {
  double value, magnitude;
  Number() = default;
  PODIUM_DEVICE Number(double v, double m) : value(v), magnitude(m) {}
  template <class T, enable_if<is_floating<T> || is_integral<T> || is_index<T>> = 0>
  PODIUM_DEVICE Number(T x) : value(double(x)), magnitude(absolute(value)) {}
  PODIUM_DEVICE Number(Exact x);
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

// An element of an input in a term whose values are added up. Reading it errs by nothing; what an operation
// makes of it is a Number of its own size, and so it is itself beside Numbers.
struct Exact {
  double value;
  Exact() = default;
  template <class T, enable_if<is_floating<T> || is_integral<T> || is_index<T>> = 0>
  PODIUM_DEVICE Exact(T x) : value(double(x)) {}
  template <class T, enable_if<is_floating<T> || is_integral<T>> = 0>
  PODIUM_DEVICE explicit operator T() const {
    return T(value);
  }

  PODIUM_DEVICE friend Exact operator+(Exact a) { return a; }
  PODIUM_DEVICE friend Exact operator-(Exact a) { return -a.value; }
  PODIUM_DEVICE friend Number operator+(Exact a, Exact b) { return a.value + b.value; }
  PODIUM_DEVICE friend Number operator-(Exact a, Exact b) { return a.value - b.value; }
  PODIUM_DEVICE friend Number operator*(Exact a, Exact b) { return a.value * b.value; }
  PODIUM_DEVICE friend Number operator/(Exact a, Exact b) { return a.value / b.value; }
  PODIUM_DEVICE friend bool operator<(Exact a, Exact b) { return a.value < b.value; }
  PODIUM_DEVICE friend bool operator>(Exact a, Exact b) { return a.value > b.value; }
  PODIUM_DEVICE friend bool operator<=(Exact a, Exact b) { return a.value <= b.value; }
  PODIUM_DEVICE friend bool operator>=(Exact a, Exact b) { return a.value >= b.value; }
  PODIUM_DEVICE friend bool operator==(Exact a, Exact b) { return a.value == b.value; }
  PODIUM_DEVICE friend bool operator!=(Exact a, Exact b) { return a.value != b.value; }
};
PODIUM_DEVICE Number::Number(Exact x) : Number(x.value) {}

template <class T>
inline constexpr bool is_number = is_same<T, Number>;
template <class T>
inline constexpr bool is_exact = is_same<T, Exact>;

// Numbers as the judge keeps them: double, u64, i64 for every other integer, Number.
template <class T,
          enable_if<is_number<T> || is_exact<T> || is_floating<T> || is_integral<T> || is_index<T>> = 0>
PODIUM_DEVICE auto plain(T x) {
  if constexpr (is_exact<T>)
    return Number(x);
  else if constexpr (is_number<T> || is_same<T, double>)
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

// What a function makes of arguments without an error: of Exact ones a Number, else the number alone.
template <class T>
PODIUM_DEVICE auto made_of(double y) {
  if constexpr (is_exact<T>)
    return Number(y);
  else
    return y;
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
      return made_of<T>(y);                                        \
  }
PODIUM_FUNCTION(exp, y)
PODIUM_FUNCTION(log, 1 / x)
PODIUM_FUNCTION(log2, 1.4426950408889634 / x)
PODIUM_FUNCTION(sin, PODIUM_MATH(cos, x))
PODIUM_FUNCTION(cos, PODIUM_MATH(sin, x))
PODIUM_FUNCTION(tanh, 1 - y * y)
PODIUM_FUNCTION(erf, 1.1283791670955126 * PODIUM_MATH(exp, -x* x))
#undef PODIUM_FUNCTION

// Spacing above 1 of the accumulator whose roundings limits by magnitude allow for.
#ifndef PODIUM_ROUNDING
#define PODIUM_ROUNDING 0x1p-23
#endif
// How far honest roundings move x.
PODIUM_DEVICE double reach_of_rounding(Number x) {
  constexpr double roundings = 16;
  return is_finite(x.magnitude) ? roundings * PODIUM_ROUNDING * x.magnitude : 0;
}
// y = f(x), where f has steps and moved numbers give low and high. One step counts in full: growth 1 admits
// it.
PODIUM_DEVICE Number jumped(Number x, double y, double low, double high, double step) {
  const double jump = larger(y - low, high - y);
  Number result = sloped(x, y, 1);
  if (jump > 0) result.magnitude += (jump < step ? jump : step) / PODIUM_ROUNDING;
  return result;
}
// A number of exactly that size comes of exact operations, which err in no format.
#define PODIUM_STEPS(NAME)                                                                       \
  template <class T>                                                                             \
  PODIUM_DEVICE auto NAME(T argument) {                                                          \
    const double x = value_of(argument), y = PODIUM_MATH(NAME, x);                               \
    if constexpr (is_number<T>) {                                                                \
      const double reach = x == y ? 0 : reach_of_rounding(argument);                             \
      return jumped(argument, y, PODIUM_MATH(NAME, x - reach), PODIUM_MATH(NAME, x + reach), 1); \
    } else {                                                                                     \
      return made_of<T>(y);                                                                      \
    }                                                                                            \
  }
PODIUM_STEPS(floor)
PODIUM_STEPS(ceil)
#undef PODIUM_STEPS

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
    return made_of<T>(y);
  }
}

// Stands for an element type in a term: round_to(bf16, v).
template <class T>
struct ElementType {};
template <class T>
PODIUM_DEVICE double rounded(double x) {
  return widen(narrow<T>(x));
}
// Half-way between two numbers of T.
template <class T>
PODIUM_DEVICE bool is_tie(double x, double y) {
  return x != y && rounded<T>(2 * x - y) == 2 * x - y;
}
// To the nearest number of a floating element type, once. Near a tie a rounding before may choose the other
// neighbour; in a tie itself the number is exact, as for steps.
template <class T, class V>
PODIUM_DEVICE auto round_to(ElementType<T>, V v) {
  static_assert(is_float_element<T>, "found round_to a whole dtype, expected a floating one, as in bf16");
  const double x = value_of(v), y = rounded<T>(x);
  if constexpr (is_number<V>) {
    const double reach = is_finite(y) && !is_tie<T>(x, y) ? reach_of_rounding(v) : 0;
    return jumped(v, y, rounded<T>(x - reach), rounded<T>(x + reach), step<T>(y, false));
  } else {
    return made_of<V>(y);
  }
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
  if constexpr (is_number<T> || is_number<U> || is_exact<T> || is_exact<U>)
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
    return made_of<T>(PODIUM_MATH(ldexp, value_of(x), power));
}
template <class T>
PODIUM_DEVICE auto abs(T x) {
  if constexpr (is_number<T>)
    return Number(absolute(x.value), x.magnitude);
  else if constexpr (is_exact<T>)
    return Exact(absolute(x.value));
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
  if constexpr (is_floating<T> || is_exact<T>)
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
