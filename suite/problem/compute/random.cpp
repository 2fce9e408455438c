// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/compute/random.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "suite/problem/program/philox.hpp"

namespace podium::problem {
namespace {

// The antiderivative of x^-s that is 0 at x = 1, and its inverse; smooth in s, also at s = 1.
double area(double x, double s) {
  const double logarithm = std::log(x), power = (1 - s) * logarithm;
  return std::abs(power) < 1e-8 ? logarithm * (1 + power / 2) : std::expm1(power) / (1 - s);
}
double area_inverse(double y, double s) {
  const double scaled = (1 - s) * y;
  return std::exp(std::abs(scaled) < 1e-8 ? y * (1 - scaled / 2)
                                          : std::log1p(std::max(scaled, -1.0)) / (1 - s));
}

}  // namespace

ComputeRandom::ComputeRandom(std::uint64_t seed, std::uint32_t stream)
    : key_(seed), high_(program::stream_of(program::Stream::structure, stream)) {}

void ComputeRandom::sequence(std::int64_t number) {
  counter_ = static_cast<std::uint64_t>(number) << 40;
  at_ = ahead;
}

// Two words of each counter.
void ComputeRandom::draw_ahead() {
  static_assert(ahead == 2 * program::philox_width);
  std::array<std::uint32_t, 2 * ahead> halves;
  program::philox_sequence(key_, counter_, high_, program::philox_width, halves.data());
  for (std::size_t k = 0; k < ahead; ++k)
    words_[k] = halves[2 * k] | static_cast<std::uint64_t>(halves[2 * k + 1]) << 32;
  counter_ += program::philox_width;
  at_ = 0;
}

std::int64_t ComputeRandom::below(std::int64_t count) {
  return static_cast<std::int64_t>(program::multiply_high(word(), static_cast<std::uint64_t>(count)));
}

double ComputeRandom::uniform() { return static_cast<double>(word() >> 11) * 0x1p-53; }

// G. E. P. Box, M. E. Muller, "A note on the generation of random normal deviates", 1958.
double ComputeRandom::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

// Rejection from the area under x^-s: W. Hörmann, G. Derflinger, "Rejection-inversion to generate variates
// from monotone discrete distributions", ACM TOMACS 6 (1996). Few draws are rejected, whatever the exponent.
std::int64_t ComputeRandom::zipf(double exponent, std::int64_t count) {
  const auto last = static_cast<double>(count);
  // The bar of k has the area k^-s; it lies under the curve's area from k - 1/2 to k + 1/2, which is larger
  // since the curve is convex. The first bar's own part begins where just its area is left.
  const double begin = area(1.5, exponent) - 1, end = area(last + 0.5, exponent);
  for (;;) {
    const double y = end + uniform() * (begin - end);
    const double k = std::clamp(std::round(area_inverse(y, exponent)), 1.0, last);
    if (y >= area(k + 0.5, exponent) - std::pow(k, -exponent)) return static_cast<std::int64_t>(k);
  }
}

}  // namespace podium::problem
