// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/evaluator_fill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "suite/problem/program/launch.hpp"
#include "suite/problem/program/numbers.hpp"

namespace podium::judge {
namespace {

using problem::Dtype;
using problem::Fill;
using program::FillKind;

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

// The number before `x` in a 16-bit format; x is finite.
template <class T>
double previous(T x) {
  if (x.bits == 0) return program::widen(T{0x8001});
  return program::widen(T{static_cast<program::u16>(x.bits & 0x8000 ? x.bits + 1 : x.bits - 1)});
}

// The same among few codes, by looking at them all; -infinity if there is none.
template <class T>
double below_of_codes(double high) {
  double best = minus_infinity;
  for (unsigned code = 0; code < 256; ++code) {
    const double x = program::widen(T{static_cast<program::u8>(code)});
    if (x < high && x > best && program::is_finite(x)) best = x;
  }
  return best;
}

template <class T>
double below(double high) {
  const T nearest = program::narrow<T>(high);
  return program::widen(nearest) < high ? program::widen(nearest) : previous(nearest);
}

std::uint64_t word(double x) { return program::bits_of(x); }
std::uint64_t word(FillKind kind) { return static_cast<std::uint64_t>(kind); }

}  // namespace

double largest_below(Dtype dtype, double high) {
  if (dtype == Dtype::f16) return below<program::f16>(high);
  if (dtype == Dtype::bf16) return below<program::bf16>(high);
  if (dtype == Dtype::f64) return std::nextafter(high, minus_infinity);
  if (dtype == Dtype::e4m3) return below_of_codes<program::e4m3>(high);
  if (dtype == Dtype::e5m2) return below_of_codes<program::e5m2>(high);
  if (dtype == Dtype::e4m3_fnuz) return below_of_codes<program::e4m3_fnuz>(high);
  if (dtype == Dtype::e5m2_fnuz) return below_of_codes<program::e5m2_fnuz>(high);
  if (dtype == Dtype::e8m0) return below_of_codes<program::e8m0>(high);
  if (dtype == Dtype::e2m1) return below_of_codes<program::e2m1>(high);
  const float nearest = static_cast<float>(high);
  return nearest < high ? nearest : std::nextafter(nearest, static_cast<float>(minus_infinity));
}

std::array<std::uint64_t, 4> fill_words(const problem::TensorInstance& input) {
  const double first = input.fill_first, second = input.fill_second;
  switch (input.fill) {
    case Fill::Kind::normal: {
      // Types that saturate take any deviation; beyond 2^400 every number drawn does.
      const bool saturates = problem::info(input.dtype).bits <= 8;
      return {word(FillKind::normal), word(first), word(saturates ? std::min(second, 0x1p400) : second), 0};
    }
    case Fill::Kind::uniform:
      return {word(FillKind::uniform), word(first), word(second - first),
              word(std::max(first, largest_below(input.dtype, second)))};
    case Fill::Kind::integers: {  // whole and below 2^53 in size, as the problem's reader makes sure
      const auto low = static_cast<std::int64_t>(first), high = static_cast<std::int64_t>(second);
      return {word(FillKind::integers), static_cast<std::uint64_t>(low),
              static_cast<std::uint64_t>(high - low) + 1, 0};
    }
    case Fill::Kind::zeros:
      return {word(FillKind::zeros), 0, 0, 0};
    case Fill::Kind::ones:
      return {word(FillKind::ones), 0, 0, 0};
    case Fill::Kind::sequence:
      return {word(FillKind::sequence), word(first), word(second), 0};
    case Fill::Kind::permutation:
      return {word(FillKind::permutation), static_cast<std::uint64_t>(input.fill_row), 0, 0};
    case Fill::Kind::value:  // kernels of their own, without numbers
    case Fill::Kind::derived:
      break;
  }
  return {};
}

}  // namespace podium::judge
