// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// What needs the processor's rounding mode, or the mathematics library. Compiled with -frounding-math.
#include "emulators/nvidia/device/floating.hpp"

#include <cfenv>
#include <cmath>

namespace podium::ptx {
namespace {

class RoundingMode {
 public:
  explicit RoundingMode(Rounding mode) : before_(std::fegetround()) {
    std::fesetround(mode == Rounding::zero   ? FE_TOWARDZERO
                    : mode == Rounding::down ? FE_DOWNWARD
                    : mode == Rounding::up   ? FE_UPWARD
                                             : FE_TONEAREST);
  }
  RoundingMode(const RoundingMode&) = delete;
  RoundingMode& operator=(const RoundingMode&) = delete;
  ~RoundingMode() { std::fesetround(before_); }

 private:
  int before_;
};

// volatile: nothing is computed before the mode is set or after it is given back.
template <class F>
F compute(Operation operation, Rounding mode, F first, F second, F third) {
  volatile F a = first, b = second, c = third;
  const RoundingMode set(mode);
  volatile F r = 0;
  switch (operation) {
    case Operation::add:
      r = a + b;
      break;
    case Operation::sub:
      r = a - b;
      break;
    case Operation::mul:
      r = a * b;
      break;
    case Operation::div:
      r = a / b;
      break;
    case Operation::fma:
      r = std::fma(static_cast<F>(a), static_cast<F>(b), static_cast<F>(c));
      break;
    case Operation::sqrt:
      r = std::sqrt(static_cast<F>(a));
      break;
    case Operation::rcp:
      r = F{1} / a;
      break;
  }
  switch (operation) {
    case Operation::sqrt:
    case Operation::rcp:
      return canonical(static_cast<F>(r));
    case Operation::div:
      return passed(static_cast<F>(r), second, first);
    default:
      return passed(static_cast<F>(r), first, second, third);
  }
}

template <class To, class From>
To converted(From from, Rounding mode) {
  volatile From a = from;
  const RoundingMode set(mode);
  volatile To r = static_cast<To>(a);
  return r;
}

}  // namespace

f32 rounded(Operation operation, Rounding mode, f32 a, f32 b, f32 c) {
  return compute<f32>(operation, mode, a, b, c);
}
f64 rounded(Operation operation, Rounding mode, f64 a, f64 b, f64 c) {
  return compute<f64>(operation, mode, a, b, c);
}
f32 rounded_to_f32(f64 a, Rounding mode) { return converted<f32, f64>(a, mode); }
f32 rounded_to_f32(s128 a, Rounding mode) {
  if (a == static_cast<s64>(a)) return converted<f32, s64>(static_cast<s64>(a), mode);
  return converted<f32, u64>(static_cast<u64>(a), mode);
}
f64 rounded_to_f64(s128 a, Rounding mode) {
  if (a == static_cast<s64>(a)) return converted<f64, s64>(static_cast<s64>(a), mode);
  return converted<f64, u64>(static_cast<u64>(a), mode);
}

// Through double: correct but where the true value lies within 2^-28 units of the middle of two floats.
f32 approximate_ex2(f32 a) { return canonical(static_cast<f32>(std::exp2(static_cast<f64>(a)))); }
f32 approximate_lg2(f32 a) { return canonical(static_cast<f32>(std::log2(static_cast<f64>(a)))); }
f32 approximate_sin(f32 a) { return canonical(static_cast<f32>(std::sin(static_cast<f64>(a)))); }
f32 approximate_cos(f32 a) { return canonical(static_cast<f32>(std::cos(static_cast<f64>(a)))); }
f32 approximate_tanh(f32 a) { return canonical(static_cast<f32>(std::tanh(static_cast<f64>(a)))); }

}  // namespace podium::ptx
