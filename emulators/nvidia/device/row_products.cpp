// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A product of two elements has at most 22 significant bits, so it is exact as a float. Multiplied by a power
// of two that puts the last bit kept at 1 and converted to an integer, it is cut off as it must be. Sums of
// integers, and of those as doubles, are exact.
#include "emulators/nvidia/device/row_products.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "emulators/nvidia/device/floating.hpp"

namespace podium::ptx {
namespace {

// Numbers that a processor's instructions take at a time: with more of them registers would not do.
template <u32 width_>
struct Vectors {
  static constexpr u32 width = width_;
  using Floats [[gnu::vector_size(width * sizeof(f32))]] = f32;
  using Integers [[gnu::vector_size(width * sizeof(s32))]] = s32;
  using Doubles [[gnu::vector_size(width * sizeof(f64))]] = f64;
  using Longs [[gnu::vector_size(width * sizeof(s64))]] = s64;
};
constexpr u32 vector_width = 16;  // the most

constexpr s32 of_nothing = -16000;  // exponent of a product that is zero, or less
constexpr s32 certainly_zero = -4000;
// Largest exponents with which nothing that counts is lost as a float, nor too large for one.
constexpr s32 least_top = -90, greatest_top = 100;
constexpr s16 greatest_of_float = 126;  // an element that was scaled may be larger
constexpr u32 terms_of_integer = 8;     // products below 2^27 that add up to less than 2^30

constexpr std::size_t padded(std::size_t count) {
  return (count + vector_width - 1) / vector_width * vector_width;
}

struct Row {
  const f32* values;
  const s16* exponents;
  u32 k;
};
struct Side {
  const f32* values;
  const s32 *exponents, *special;
  std::size_t pitch;
};

// sums[i] = c[i] + sum over k, cut off as `kept` says but not rounded; unknown[i] is not 0 where this way
// does not lead to it. True if there is such an i.
template <class Of>
[[gnu::always_inline]] inline bool sum_rows(const Row& a, const Side& b, std::size_t count, const f32* c,
                                            int kept, f64* sums, s32* unknown) {
  using Floats = typename Of::Floats;
  using Integers = typename Of::Integers;
  using Doubles = typename Of::Doubles;
  using Longs = typename Of::Longs;
  Integers any{};
  for (std::size_t at = 0; at < count; at += Of::width) {
    Floats value, of_c;
    Integers exponent, wrong, bits_of_c;
    std::memcpy(&of_c, c + at, sizeof of_c);
    std::memcpy(&bits_of_c, c + at, sizeof bits_of_c);
    std::memcpy(&wrong, b.special + at, sizeof wrong);
    const Integers field = bits_of_c >> 23 & 0xff;
    const Integers zero = (bits_of_c & 0x7fffffff) == 0;
    wrong |= (field == 0xff) | ((field == 0) & ~zero);
    Integers top = zero ? Integers{} + of_nothing : field - 127;
    for (u32 k = 0; k < a.k; ++k) {
      std::memcpy(&exponent, b.exponents + k * b.pitch + at, sizeof exponent);
      exponent += s32{a.exponents[k]};
      top = exponent > top ? exponent : top;
    }
    wrong |= (top > greatest_top) | ((top < least_top) & (top > certainly_zero));
    const Integers usable =
        ~wrong & (top >= least_top);  // where it is not, all is zero, or another way taken
    top = usable ? top : Integers{};
    const Integers scale_bits = (kept - top + 127) << 23;
    Floats scale;
    std::memcpy(&scale, &scale_bits, sizeof scale);
    const Floats c_or_zero = usable ? of_c : Floats{};
    Integers part = __builtin_convertvector(c_or_zero * scale, Integers);
    Doubles sum{};
    for (u32 k = 0; k < a.k; ++k) {
      std::memcpy(&value, b.values + k * b.pitch + at, sizeof value);
      part += __builtin_convertvector(value * a.values[k] * scale, Integers);
      if (k % terms_of_integer == terms_of_integer - 1) {
        sum += __builtin_convertvector(part, Doubles);
        part = Integers{};
      }
    }
    sum += __builtin_convertvector(part, Doubles);
    const Longs back_bits = (__builtin_convertvector(top, Longs) + (1023 - kept)) << 52;
    Doubles back;
    std::memcpy(&back, &back_bits, sizeof back);
    sum *= back;
    std::memcpy(sums + at, &sum, sizeof sum);
    std::memcpy(unknown + at, &wrong, sizeof wrong);
    any |= wrong;
  }
  s32 all = 0;
  for (u32 i = 0; i < Of::width; ++i) all |= any[i];
  return all != 0;
}

// Cut off to `significant` bits: all of these are normal numbers as floats, or zero.
template <class Of>
[[gnu::always_inline]] inline void cut_off(const f64* sums, std::size_t count, int significant, u32* d) {
  using Floats = typename Of::Floats;
  using Doubles = typename Of::Doubles;
  using Longs = typename Of::Longs;
  constexpr int of_double = 53;
  const s64 kept = ~((s64{1} << (of_double - significant)) - 1);
  for (std::size_t at = 0; at < count; at += Of::width) {
    Longs raw;
    std::memcpy(&raw, sums + at, sizeof raw);
    raw &= kept;
    Doubles cut;
    std::memcpy(&cut, &raw, sizeof cut);
    const Floats result = __builtin_convertvector(cut, Floats);
    std::memcpy(d + at, &result, sizeof result);
  }
}

// Both for a processor.
struct Way {
  bool (*sum_rows)(const Row&, const Side&, std::size_t, const f32*, int, f64*, s32*);
  void (*cut_off)(const f64*, std::size_t, int, u32*);
};
#define PODIUM_WAY(name, vectors, target)                                                             \
  target bool name##_sum_rows(const Row& a, const Side& b, std::size_t count, const f32* c, int kept, \
                              f64* sums, s32* unknown) {                                              \
    return sum_rows<vectors>(a, b, count, c, kept, sums, unknown);                                    \
  }                                                                                                   \
  target void name##_cut_off(const f64* sums, std::size_t count, int significant, u32* d) {           \
    cut_off<vectors>(sums, count, significant, d);                                                    \
  }
PODIUM_WAY(plain, Vectors<4>, )
#if defined(__x86_64__)
PODIUM_WAY(avx2, Vectors<8>, [[gnu::target("avx2")]])
PODIUM_WAY(avx512, Vectors<vector_width>, [[gnu::target("avx512f")]])
#endif
#undef PODIUM_WAY

// That of this processor.
const Way& way() {
  static const Way chosen = [] {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return Way{avx512_sum_rows, avx512_cut_off};
    if (__builtin_cpu_supports("avx2")) return Way{avx2_sum_rows, avx2_cut_off};
#endif
    return Way{plain_sum_rows, plain_cut_off};
  }();
  return chosen;
}

}  // namespace

Columns::Columns(const MatrixOperand& rows)
    : Columns(rows, [&] {
        std::vector<u32> order(rows.rows());
        std::iota(order.begin(), order.end(), 0u);
        return order;
      }()) {}

Columns::Columns(const MatrixOperand& rows, const std::vector<u32>& order)
    : rows_(&rows),
      order_(order),
      pitch_(padded(order.size()) + vector_width),  // a row of products may begin anywhere
      values_(pitch_ * rows.k()),
      exponents_(pitch_ * rows.k(), of_nothing),
      special_(pitch_) {
  for (std::size_t i = 0; i < order.size(); ++i) {
    const u32 row = order[i];
    if (rows.special(row)) {
      special_[i] = -1;
      continue;
    }
    const s16* const exponents = rows.exponents(row);
    for (u32 k = 0; k < rows.k(); ++k) {
      if (exponents[k] > greatest_of_float) special_[i] = -1;
      values_[k * pitch_ + i] = rows.get(row, k);
      exponents_[k * pitch_ + i] = exponents[k];
    }
  }
}

void row_of_products(Element type, const MatrixOperand& a, u32 m, const Columns& b, u32 first, u32 count,
                     u32* d, Accumulation how, bool saturate) {
  const auto one = [&](u32 i) {
    d[i] = dot_as(type, a, m, *b.rows_, b.order_[first + i], d[i], how, saturate);
  };
  const s16* const exponents = a.exponents(m);
  if (type == Element::s32 || a.special(m) ||
      *std::max_element(exponents, exponents + a.k()) > greatest_of_float) {
    for (u32 i = 0; i < count; ++i) one(i);
    return;
  }
  std::array<f32, most_products> c;
  std::array<f64, most_products> sums;
  std::array<s32, most_products> unknown;
  std::array<u32, most_products> results;
  const std::size_t all = padded(count);
  for (u32 i = 0; i < count; ++i)
    c[i] = type == Element::f16 ? float_of(f16{static_cast<u16>(d[i])}) : float_of(d[i]);
  std::fill(c.begin() + count, c.begin() + static_cast<std::ptrdiff_t>(all), 0.0f);
  const bool any = way().sum_rows(
      {a.values(m), exponents, a.k()},
      {b.values_.data() + first, b.exponents_.data() + first, b.special_.data() + first, b.pitch_}, all,
      c.data(), how.fraction, sums.data(), unknown.data());
  if (type != Element::f16)
    way().cut_off(sums.data(), all, how.significant, results.data());
  else
    for (u32 i = 0; i < count; ++i) results[i] = half_of(sums[i]).bits;
  for (u32 i = 0; i < count; ++i)
    if (any && unknown[i] != 0)
      one(i);
    else
      d[i] = results[i];
}

}  // namespace podium::ptx
