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

// Numbers that a processor's registers hold, and so its instructions take.
template <u32 width_>
struct Vectors {
  static constexpr u32 width = width_, pair = 2 * width, half = width / 2;
  using Floats [[gnu::vector_size(width * sizeof(f32))]] = f32;
  using Integers [[gnu::vector_size(width * sizeof(s32))]] = s32;
  using Shorts [[gnu::vector_size(pair * sizeof(s16))]] = s16;
  using HalfOfShorts [[gnu::vector_size(width * sizeof(s16))]] = s16;
  using HalfOfFloats [[gnu::vector_size(half * sizeof(f32))]] = f32;
  using HalfOfIntegers [[gnu::vector_size(half * sizeof(s32))]] = s32;
  using Doubles [[gnu::vector_size(half * sizeof(f64))]] = f64;
  using Longs [[gnu::vector_size(half * sizeof(s64))]] = s64;
};
constexpr u32 most_together = 32;  // products, a pair of the widest vectors

constexpr s16 of_nothing = -16000;  // exponent of a product that is zero, or less
constexpr s32 certainly_zero = -4000;
// Largest exponents with which nothing that counts is lost as a float, nor too large for one.
constexpr s32 least_top = -90, greatest_top = 100;
constexpr s16 greatest_of_float = 126;  // an element that was scaled may be larger
constexpr u32 terms_of_integer = 8;     // products below 2^27 that add up to less than 2^30

struct Row {
  const f32* values;
  const s16* exponents;
  u32 k;
};
struct Side {
  const f32* values;
  const s16* exponents;
  const s32* special;
  std::size_t pitch;
};

// No vector is handed from one function to another in machine code: all of these are inlined.
#pragma GCC diagnostic ignored "-Wpsabi"
template <class Vector>
struct Stored {
  using Type [[gnu::aligned(1), gnu::may_alias]] = Vector;  // columns may begin anywhere
};
template <class Vector>
[[gnu::always_inline]] inline Vector loaded(const void* from) {
  return *static_cast<const typename Stored<Vector>::Type*>(from);
}
template <class Vector>
[[gnu::always_inline]] inline void store(void* to, const Vector& vector) {
  *static_cast<typename Stored<Vector>::Type*>(to) = vector;
}
// Its first half, or its second.
template <class Half, class Vector>
[[gnu::always_inline]] inline Half one_half(const Vector& vector, u32 which) {
  static_assert(2 * sizeof(Half) == sizeof(Vector));
  Half half;
  std::memcpy(&half, reinterpret_cast<const char*>(&vector) + which * sizeof half, sizeof half);
  return half;
}

// sums[i] = c[i] + sum over k, cut off as `kept` says but not rounded; unknown[i] is not 0 where this way
// does not lead to it. True if there is such an i.
template <class Of>
[[gnu::always_inline]] inline bool sum_rows(const Row& a, const Side& b, std::size_t count, const f32* c,
                                            int kept, f64* sums, s32* unknown) {
  using Floats = typename Of::Floats;
  using Integers = typename Of::Integers;
  using Shorts = typename Of::Shorts;
  using Doubles = typename Of::Doubles;
  using Longs = typename Of::Longs;
  Integers any{};
  for (std::size_t at = 0; at < count; at += Of::pair) {
    Shorts tops = Shorts{} + of_nothing;
    for (u32 k = 0; k < a.k; ++k) {
      const Shorts exponents = loaded<Shorts>(b.exponents + k * b.pitch + at) + a.exponents[k];
      tops = exponents > tops ? exponents : tops;
    }
    Floats scale[2];
    Integers top[2], part[2];
    Doubles sum[2][2]{};
#pragma GCC unroll 2
    for (u32 i = 0; i < 2; ++i) {
      const std::size_t first = at + i * Of::width;
      const auto of_c = loaded<Floats>(c + first);
      const auto bits_of_c = loaded<Integers>(c + first);
      auto wrong = loaded<Integers>(b.special + first);
      const Integers field = bits_of_c >> 23 & 0xff;
      const Integers zero = (bits_of_c & 0x7fffffff) == 0;
      wrong |= (field == 0xff) | ((field == 0) & ~zero);
      const Integers exponent_of_c = zero ? Integers{} + of_nothing : field - 127;
      top[i] = __builtin_convertvector(one_half<typename Of::HalfOfShorts>(tops, i), Integers);
      top[i] = exponent_of_c > top[i] ? exponent_of_c : top[i];
      wrong |= (top[i] > greatest_top) | ((top[i] < least_top) & (top[i] > certainly_zero));
      const Integers usable =
          ~wrong & (top[i] >= least_top);  // where it is not, all is zero, or another way taken
      top[i] = usable ? top[i] : Integers{};
      const Integers scale_bits = (kept - top[i] + 127) << 23;
      scale[i] = loaded<Floats>(&scale_bits);
      const Floats c_or_zero = usable ? of_c : Floats{};
      part[i] = __builtin_convertvector(c_or_zero * scale[i], Integers);
      store(unknown + first, wrong);
      any |= wrong;
    }
    for (u32 begin = 0; begin < a.k; begin += terms_of_integer) {
      const u32 end = std::min(a.k, begin + terms_of_integer);
      for (u32 k = begin; k < end; ++k) {
        const f32* const values = b.values + k * b.pitch + at;
#pragma GCC unroll 2
        for (u32 i = 0; i < 2; ++i)
          part[i] += __builtin_convertvector(loaded<Floats>(values + i * Of::width) * a.values[k] * scale[i],
                                             Integers);
      }
#pragma GCC unroll 2
      for (u32 i = 0; i < 2; ++i) {
#pragma GCC unroll 2
        for (u32 j = 0; j < 2; ++j)
          sum[i][j] += __builtin_convertvector(one_half<typename Of::HalfOfIntegers>(part[i], j), Doubles);
        part[i] = Integers{};
      }
    }
#pragma GCC unroll 2
    for (u32 i = 0; i < 2; ++i)
#pragma GCC unroll 2
      for (u32 j = 0; j < 2; ++j) {
        const auto power = one_half<typename Of::HalfOfIntegers>(top[i], j);
        const Longs back_bits = (__builtin_convertvector(power, Longs) + (1023 - kept)) << 52;
        sum[i][j] *= loaded<Doubles>(&back_bits);
        store(sums + at + i * Of::width + j * Of::half, sum[i][j]);
      }
  }
  s32 all = 0;
  for (u32 i = 0; i < Of::width; ++i) all |= any[i];
  return all != 0;
}

// Cut off to `significant` bits: all of these are normal numbers as floats, or zero.
template <class Of>
[[gnu::always_inline]] inline void cut_off(const f64* sums, std::size_t count, int significant, u32* d) {
  constexpr int of_double = 53;
  const s64 kept = ~((s64{1} << (of_double - significant)) - 1);
  for (std::size_t at = 0; at < count; at += Of::half) {
    const auto raw = loaded<typename Of::Longs>(sums + at) & kept;
    const auto result =
        __builtin_convertvector(loaded<typename Of::Doubles>(&raw), typename Of::HalfOfFloats);
    store(d + at, result);
  }
}

// Both for a processor.
struct Way {
  std::size_t together;  // columns: a pair of its vectors
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
PODIUM_WAY(avx512, Vectors<most_together / 2>, [[gnu::target("avx512f,avx512bw")]])
#endif
#undef PODIUM_WAY

// That of this processor.
const Way& way() {
  static const Way chosen = [] {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw"))
      return Way{most_together, avx512_sum_rows, avx512_cut_off};
    if (__builtin_cpu_supports("avx2")) return Way{16, avx2_sum_rows, avx2_cut_off};
#endif
    return Way{8, plain_sum_rows, plain_cut_off};
  }();
  return chosen;
}

std::size_t padded(std::size_t count) {
  const std::size_t together = way().together;
  return (count + together - 1) / together * together;
}

// A range of such columns may begin anywhere.
std::size_t pitch_of(std::size_t columns) { return padded(columns) + way().together; }

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
      pitch_(pitch_of(order.size())),
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
  static_assert(most_products % most_together == 0);
  std::array<f32, most_products> c;
  std::array<f64, most_products> sums;
  std::array<s32, most_products> unknown;
  std::array<u32, most_products> results;
  const std::size_t all = padded(count);
  if (type == Element::f16)
    for (u32 i = 0; i < count; ++i) c[i] = float_of(f16{static_cast<u16>(d[i])});
  else
    std::memcpy(c.data(), d, count * sizeof *d);
  std::fill(c.begin() + count, c.begin() + static_cast<std::ptrdiff_t>(all), 0.0f);
  const bool any = way().sum_rows(
      {a.values(m), exponents, a.k()},
      {b.values_.data() + first, b.exponents_.data() + first, b.special_.data() + first, b.pitch_}, all,
      c.data(), how.fraction, sums.data(), unknown.data());
  if (type == Element::f16)
    for (u32 i = 0; i < count; ++i) results[i] = half_of(sums[i]).bits;
  else
    way().cut_off(sums.data(), all, how.significant, results.data());
  if (!any) {
    std::memcpy(d, results.data(), count * sizeof *d);
    return;
  }
  for (u32 i = 0; i < count; ++i)
    if (unknown[i] != 0)
      one(i);
    else
      d[i] = results[i];
}

}  // namespace podium::ptx
