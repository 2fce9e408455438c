// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "emulators/nvidia/device/products.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "emulators/nvidia/device/floating.hpp"

namespace podium::ptx {
namespace {

constexpr int significand_bits = 10;  // behind the first: f16 and tf32 have most
constexpr s16 exponent_of_zero = -8000;
constexpr int of_float = 23;

// magnitude * 2^-right, cut off, with the sign.
s64 aligned(s64 value, int right) {
  if (right <= 0) return value * (s64{1} << std::min(-right, 40));
  if (right > 62) return 0;
  return value < 0 ? -(-value >> right) : value >> right;
}

f32 cut_off(f64 sum, int significant) {
  constexpr int of_double = 53;
  const u64 kept = ~((u64{1} << (of_double - significant)) - 1);
  const f64 cut = bits<f64>(bits<u64>(sum) & kept);
  const f32 rounded = static_cast<f32>(cut);  // changes subnormal numbers, and those that are too large
  if (std::isinf(rounded)) return rounded;
  return std::fabs(static_cast<f64>(rounded)) > std::fabs(cut) ? std::nextafter(rounded, 0.0f) : rounded;
}

f64 dot_of_specials(const MatrixOperand& a, u32 m, const MatrixOperand& b, u32 n, f32 c) {
  f64 sum = c;  // in which no product of numbers becomes an infinity
  for (u32 k = 0; k < a.k(); ++k) sum += static_cast<f64>(a.get(m, k)) * static_cast<f64>(b.get(n, k));
  return sum;
}

// c + sum over k of a(m, k) b(n, k), before it is rounded.
f64 dot(const MatrixOperand& a, u32 m, const MatrixOperand& b, u32 n, f32 c, int kept) {
  if (a.special(m) || b.special(n) || !std::isfinite(c)) return dot_of_specials(a, m, b, n, c);
  const s16 *const ma = a.significands(m), *const mb = b.significands(n), *const ea = a.exponents(m),
                   *const eb = b.exponents(n);
  int of_c = 0;
  const f32 fraction = std::frexp(c, &of_c);
  --of_c;
  int top = c == 0 ? 2 * exponent_of_zero : of_c;
  const u32 count = a.k();
  for (u32 k = 0; k < count; ++k) top = std::max(top, ea[k] + eb[k]);
  if (top <= exponent_of_zero) return 0;  // every product is zero
  s64 sum = 0;
  for (u32 k = 0; k < count; ++k)
    sum += aligned(static_cast<s64>(ma[k]) * mb[k], top - ea[k] - eb[k] + 2 * significand_bits - kept);
  if (c != 0)
    sum += aligned(static_cast<s64>(std::ldexp(fraction, of_float + 1)), top - of_c + of_float - kept);
  return std::ldexp(static_cast<f64>(sum), top - kept);
}

}  // namespace

MatrixOperand::MatrixOperand(u32 rows, u32 k)
    : k_(k),
      values_(static_cast<std::size_t>(rows) * k),
      significands_(values_.size()),
      exponents_(values_.size(), exponent_of_zero),
      special_(rows) {}

namespace {

// Of a number that is zero or normal, as nearly all are, without a branch. Whether it is not.
inline u32 take_apart(f32 value, s16& significand, s16& exponent) {
  const u32 raw = bits<u32>(value), field = raw >> of_float & 0xff;
  const u32 zero = field == 0 ? ~0u : 0, sign = 0u - (raw >> 31);
  const u32 magnitude = ((raw & 0x7fffff) | 0x800000) >> (of_float - significand_bits);
  significand = static_cast<s16>(((magnitude ^ sign) - sign) & ~zero);
  exponent = static_cast<s16>(zero != 0 ? s32{exponent_of_zero} : static_cast<s32>(field) - 127);
  return (field == 0xff ? 1u : 0u) | (zero & raw << 1);
}

// Eight at a time, which is what compilers make vector code of. Whether all are zero or normal.
constexpr u32 together = 8;
struct Parts {
  std::array<s16, together> significands, exponents;
};
bool take_apart(const f32* values, Parts& parts) {
  u32 any_odd = 0;
  for (u32 i = 0; i < together; ++i)
    any_odd |= take_apart(values[i], parts.significands[i], parts.exponents[i]);
  return any_odd == 0;
}

}  // namespace

void MatrixOperand::set(u32 row, u32 k, f32 value) {
  const std::size_t at = static_cast<std::size_t>(row) * k_ + k;
  values_[at] = value;
  if (take_apart(value, significands_[at], exponents_[at]) == 0) return;
  significands_[at] = 0;
  exponents_[at] = exponent_of_zero;
  if (!std::isfinite(value)) {
    special_[row] = true;
  } else {  // a bf16 or tf32 below float's normal numbers
    int power = 0;
    const f32 fraction = std::frexp(value, &power);
    significands_[at] = static_cast<s16>(std::ldexp(fraction, significand_bits + 1));
    exponents_[at] = static_cast<s16>(power - 1);
  }
}

void MatrixOperand::set_row(u32 row, u32 k, const f32* values, u32 count) {
  for (Parts parts; count >= together && take_apart(values, parts);
       k += together, values += together, count -= together) {
    const std::size_t at = static_cast<std::size_t>(row) * k_ + k;
    std::copy_n(values, together, &values_[at]);
    std::copy_n(parts.significands.begin(), together, &significands_[at]);
    std::copy_n(parts.exponents.begin(), together, &exponents_[at]);
  }
  for (u32 i = 0; i < count; ++i) set(row, k + i, values[i]);
}

void MatrixOperand::set_column(u32 row, u32 k, const f32* values, u32 count) {
  for (Parts parts; count >= together && take_apart(values, parts);
       row += together, values += together, count -= together)
    for (u32 i = 0; i < together; ++i) {
      const std::size_t at = static_cast<std::size_t>(row + i) * k_ + k;
      values_[at] = values[i];
      significands_[at] = parts.significands[i];
      exponents_[at] = parts.exponents[i];
    }
  for (u32 i = 0; i < count; ++i) set(row + i, k, values[i]);
}

void MatrixOperand::negate() {
  for (f32& value : values_) value = -value;
  for (s16& significand : significands_) significand = static_cast<s16>(-significand);
}

MatrixOperand MatrixOperand::taken(const std::vector<u32>& places) const {
  MatrixOperand part(rows(), static_cast<u32>(places.size()));
  for (u32 row = 0; row < rows(); ++row)
    for (u32 i = 0; i < part.k_; ++i) {
      const std::size_t from = static_cast<std::size_t>(row) * k_ + places[i],
                        to = static_cast<std::size_t>(row) * part.k_ + i;
      part.values_[to] = values_[from];
      part.significands_[to] = significands_[from];
      part.exponents_[to] = exponents_[from];
      if (special_[row] && !std::isfinite(values_[from])) part.special_[row] = true;
    }
  return part;
}

void MatrixOperand::scale(u32 row, u32 first, u32 count, f32 factor) {
  for (u32 k = first; k < first + count; ++k) {
    const std::size_t at = static_cast<std::size_t>(row) * k_ + k;
    values_[at] *= factor;
    if (!std::isfinite(factor)) special_[row] = true;
    if (significands_[at] == 0 || !std::isfinite(factor)) continue;
    if (factor == 0) {
      significands_[at] = 0;
      exponents_[at] = exponent_of_zero;
      continue;
    }
    int factor_power = 0, power = 0;
    const f32 significand = std::frexp(factor, &factor_power);
    const f32 product =
        std::frexp(significand * std::ldexp(static_cast<f32>(significands_[at]), -significand_bits), &power);
    significands_[at] = static_cast<s16>(std::ldexp(product, significand_bits + 1));
    exponents_[at] = static_cast<s16>(exponents_[at] + factor_power + power - 1);
  }
}

s32 dot_integers(const MatrixOperand& a, u32 m, const MatrixOperand& b, u32 n, s32 c, bool saturate) {
  s64 sum = c;
  for (u32 k = 0; k < a.k(); ++k) sum += static_cast<s64>(a.get(m, k)) * static_cast<s64>(b.get(n, k));
  if (saturate) sum = std::clamp<s64>(sum, INT32_MIN, INT32_MAX);
  return static_cast<s32>(sum);
}

u32 sum_of(Element type, u32 x, u32 y) {
  if (type == Element::f16) return add(f16{static_cast<u16>(x)}, f16{static_cast<u16>(y)}).bits;
  return bits<u32>(add(float_of(x), float_of(y)));
}

u32 dot_as(Element d, const MatrixOperand& a, u32 m, const MatrixOperand& b, u32 n, u32 c, Accumulation how,
           bool saturate) {
  if (d == Element::s32) return static_cast<u32>(dot_integers(a, m, b, n, static_cast<s32>(c), saturate));
  if (d == Element::f16)
    return half_of(dot(a, m, b, n, float_of(f16{static_cast<u16>(c)}), how.fraction)).bits;
  const f64 sum = dot(a, m, b, n, float_of(c), how.fraction);
  return bits<u32>(std::isfinite(sum) ? cut_off(sum, how.significant) : canonical(static_cast<f32>(sum)));
}

}  // namespace podium::ptx
