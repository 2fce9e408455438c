// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/draws.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "suite/problem/program/launch.hpp"
#include "suite/problem/program/numbers.hpp"
#include "suite/problem/program/philox.hpp"

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

namespace {

// Numbers of [0, extent) in their order but for a few neighbours: each lies at or behind the place that its
// share of the extent gives it. At most `most` of them.
class Chosen {
 public:
  Chosen(std::int64_t extent, std::size_t most)
      : extent_(static_cast<std::uint64_t>(extent)), places_(4 * most), slots_(places_ + most, none) {}

  bool insert(std::int64_t value) {
    // The upper half of value / extent * 2^64, times the places; no value is as large as the extent.
    std::size_t at = program::multiply_high(static_cast<std::uint64_t>(value) * (~std::uint64_t{0} / extent_),
                                            static_cast<std::uint64_t>(places_));
    while (slots_[at] != none && slots_[at] != value) ++at;
    return std::exchange(slots_[at], value) == none;
  }

  std::vector<std::int64_t> ascending() const {
    std::vector<std::int64_t> all;
    all.reserve(slots_.size() - places_);
    for (const std::int64_t value : slots_) {
      if (value == none) continue;
      auto at = all.insert(all.end(), value);
      for (; at != all.begin() && *(at - 1) > value; --at) *at = *(at - 1);
      *at = value;
    }
    return all;
  }

 private:
  static constexpr std::int64_t none = -1;
  std::uint64_t extent_;
  std::size_t places_;
  std::vector<std::int64_t> slots_;
};

}  // namespace

// Sampling without replacement: R. W. Floyd's algorithm, "Programming pearls: a sample of brilliance", CACM
// 30 (1987).
std::vector<std::int64_t> draw_sample(std::int64_t extent, std::int64_t drawn, std::uint64_t seed,
                                      std::uint32_t set, const std::vector<std::int64_t>& wanted) {
  if (extent == 0) return {};
  drawn = std::min(drawn, extent);
  Chosen chosen(extent, static_cast<std::size_t>(drawn) + 2 + wanted.size());
  std::uint64_t counter = 0;
  for (std::int64_t last = extent - drawn; last < extent; ++last) {
    const program::Block4 block =
        program::philox(seed, counter++, program::stream_of(program::Stream::sample, set));
    const std::uint64_t random = block.word[0] | static_cast<std::uint64_t>(block.word[1]) << 32;
    const auto value =
        static_cast<std::int64_t>(program::multiply_high(random, static_cast<std::uint64_t>(last) + 1));
    if (!chosen.insert(value)) chosen.insert(last);
  }
  chosen.insert(0);
  chosen.insert(extent - 1);
  for (const std::int64_t value : wanted) chosen.insert(value);
  return chosen.ascending();
}

}  // namespace podium::judge
