// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Matrix cores: D = A B + C for a whole wave, whatever EXEC says. Where a matrix's elements lie is data
// (Layout), which the translator states for each instruction; what an element means is a type.
#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "arithmetic.hpp"
#include "float8.hpp"
#include "state.hpp"
#include "value.hpp"

namespace podium::amd::matrix {

// Where the bits of an index go, the lowest first: to bit n of the number that the element has among those of
// its lane (n), or to bit n of the lane (lane + n).
inline constexpr signed char lane = 16;
struct Bits {
  signed char count;
  signed char to[7];
};

struct Place {
  int lane, item;
};

constexpr Place operator|(Place a, Place b) { return {a.lane | b.lane, a.item | b.item}; }

constexpr Place place(const Bits& bits, int index) {
  Place p{0, 0};
  for (int i = 0; i < bits.count; ++i) {
    const int bit = index >> i & 1;
    if (bits.to[i] >= lane)
      p.lane |= bit << (bits.to[i] - lane);
    else
      p.item |= bit << bits.to[i];
  }
  return p;
}

// A has m rows, B n columns, both `depth` of k; `blocks` products that do not meet. Lines are A's rows and
// B's columns, which lie alike. `copies`: groups of 16 lanes that hold all of A and B each, and work with
// their own.
struct Layout {
  int m, n, depth, blocks, copies;
  Bits line, k, block;             // of A and B
  Bits row, column, result_block;  // of C and D
};

struct Modifiers {
  int cbsz, abid, blgp;  // blocks of A and groups of lanes of B that are given to others
  int negative[3];       // of A, B and C: 1 the elements with even numbers, 2 the odd ones; of C: 1 all
  bool absolute;         // C, before its sign
  bool is_signed[2];     // whether the integers of A and B are
  bool clamp;            // integer sums, to their range
  int half;              // of results of 16 bits that have a register each: which half; -1: two in a register
  bool flush;            // denormals are 0: operands of 16 bits, and results
};

struct F64 {
  static constexpr int bits = 64;
  static double value(std::uint64_t x, bool) { return bits_of<double>(x); }
};
struct F32 {
  static constexpr int bits = 32;
  static float value(std::uint64_t x, bool) { return bits_of<float>(static_cast<std::uint32_t>(x)); }
};
struct F16 {
  static constexpr int bits = 16;
  static constexpr float least = 0x1p-14F;  // that is no denormal
  static float value(std::uint64_t x, bool) { return bits_of<h16>(static_cast<std::uint16_t>(x)); }
};
struct BF16 {
  static constexpr int bits = 16;
  static constexpr float least = 0x1p-126F;
  static float value(std::uint64_t x, bool) { return bf16_value(static_cast<std::uint16_t>(x)); }
};
struct FP8 {
  static constexpr int bits = 8;
  static float value(std::uint64_t x, bool) { return Fp8::value(static_cast<std::uint8_t>(x)); }
};
struct BF8 {
  static constexpr int bits = 8;
  static float value(std::uint64_t x, bool) { return Bf8::value(static_cast<std::uint8_t>(x)); }
};
template <int bits_>
struct Integer {
  static constexpr int bits = bits_;
  static std::int64_t value(std::uint64_t x, bool is_signed) {
    const std::uint64_t low = x & ones(bits);
    return static_cast<std::int64_t>(low) - (is_signed && low >> (bits - 1) ? std::int64_t{1} << bits : 0);
  }
};
using I32 = Integer<32>;
using I8 = Integer<8>;
using I4 = Integer<4>;

template <class T>
using Sum = decltype(T::value(0, false));

// Element `item` of those that a lane has from register `first` on, and whether it was never written.
template <class T>
std::uint64_t element(const Wave* w, int first, Place p, bool& unset) {
  if constexpr (T::bits == 64) {
    const int r = first + 2 * p.item;
    unset = (w->unset[r] | w->unset[r + 1]) >> p.lane & 1;
    return w->v[r][p.lane] | std::uint64_t{w->v[r + 1][p.lane]} << 32;
  } else {
    constexpr int held = 32 / T::bits;
    const int r = first + p.item / held;
    unset = w->unset[r] >> p.lane & 1;
    return w->v[r][p.lane] >> (T::bits * (p.item % held)) & ones(T::bits);
  }
}

// The lane whose operand of B lane `l` is given.
inline int given(int l, int blgp) {
  switch (blgp) {
    case 1:
      return l & 31;
    case 2:
      return l | 32;
    case 3:
      return (l + 16) & 63;
    case 0:
      return l;
    default:
      return (l & 15) | 16 * (blgp - 4);
  }
}

inline float flushed(float x, float least) { return std::fabs(x) < least ? std::copysign(0.F, x) : x; }

template <class S>
S product_sum(S a, S b, S c) {
  if constexpr (std::is_floating_point_v<S>)
    return std::fma(a, b, c);
  else
    return a * b + c;
}

inline constexpr int most_operands = 1024, most_sums = 2048;  // 32 x 32 x 32; two blocks of 32 x 32

// A or B: lines x depth for each block and copy.
template <class S>
struct Operands {
  S at[most_operands];
  bool unset[most_operands];  // of a line: of any of its elements
};

template <class T, class S>
void fetch(const Wave* w, const Layout& l, const Modifiers& x, int first, int which, Operands<S>& out) {
  const int lines = which == 0 ? l.m : l.n;
  int n = 0, line_number = 0;
  for (int copy = 0; copy < l.copies; ++copy)
    for (int block = 0; block < l.blocks; ++block)
      for (int line = 0; line < lines; ++line, ++line_number) {
        out.unset[line_number] = false;
        const int from = which == 0 ? (block >> x.cbsz << x.cbsz) + x.abid : block;
        for (int k = 0; k < l.depth; ++k, ++n) {
          Place p = place(l.line, line) | place(l.k, k) | place(l.block, from);
          p.lane += 16 * copy;
          if (which == 1) p.lane = given(p.lane, x.blgp);
          bool unset = false;
          S value = static_cast<S>(T::value(element<T>(w, first, p, unset), x.is_signed[which]));
          if (x.negative[which] >> (p.item & 1) & 1) value = -value;
          if constexpr (T::bits == 16)
            if (x.flush) value = flushed(value, T::least);
          out.at[n] = value;
          out.unset[line_number] = out.unset[line_number] || unset;
        }
      }
}

template <class D, class S>
std::uint64_t result(S sum, const Modifiers& x) {
  if constexpr (std::is_same_v<D, F32>)
    if (x.flush) sum = flushed(sum, BF16::least);
  if constexpr (std::is_same_v<D, F16>)
    return half_bits(sum);
  else if constexpr (std::is_same_v<D, BF16>)
    return bf16_bits(sum);
  else if constexpr (std::is_floating_point_v<S>)
    return bits_of<std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>>(sum);
  else if (x.clamp)
    return static_cast<std::uint32_t>(sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum);
  else
    return static_cast<std::uint32_t>(sum);
}

inline int number_of(const Wave* w, const std::uint32_t* row) {
  return static_cast<int>((row - &w->v[0][0]) / most_lanes);
}

// What is left of a product once its operands are fetched: `add` adds the products of a line of A and one of
// B, by their numbers, to a sum, and says whether any of them was never written. No c: every element is
// `constant`, in bits.
template <class D, class Add>
void sum_up(Wave* w, const Layout& l, const Modifiers& x, int lanes, const std::uint32_t* d_row,
            const std::uint32_t* c_row, std::uint64_t constant, const Add& add) {
  using S = Sum<D>;
  const auto at = [&](int i, int j, int block) {
    return place(l.row, i) | place(l.column, j) | place(l.result_block, block);
  };
  static S sums[most_sums];
  static bool unset[most_sums];
  const int d = number_of(w, d_row), c = c_row ? number_of(w, c_row) : 0;
  const int slot = D::bits == 16 && x.half >= 0 ? 2 : 1;
  const auto item = [&](Place p) { return Place{p.lane, p.item * slot + (slot == 2 ? x.half : 0)}; };
  int n = 0;
  for (int block = 0; block < l.blocks; ++block)
    for (int i = 0; i < l.m; ++i)
      for (int j = 0; j < l.n; ++j, ++n) {
        const Place p = at(i, j, block);
        const int copy = l.copies > 1 ? p.lane / 16 : 0;
        bool c_unset = false;
        const std::uint64_t bits = c_row ? element<D>(w, c, item(p), c_unset) : constant;
        S sum = D::value(bits, true);
        if constexpr (std::is_floating_point_v<S>) {
          if (x.absolute) sum = std::fabs(sum);
          if (x.negative[2]) sum = -sum;
        }
        const int line = (copy * l.blocks + block) * l.m + i, other = (copy * l.blocks + block) * l.n + j;
        unset[n] = add(line, other, sum) || c_unset;
        sums[n] = sum;
      }
  const std::uint64_t all = lanes == 64 ? ~std::uint64_t{0} : 0xffffffffu;
  const int items = l.m * l.n * l.blocks / lanes, registers = items * slot * D::bits / 32;
  for (int r = d; r < d + registers; ++r) w->unset[r] &= ~all;
  n = 0;
  for (int block = 0; block < l.blocks; ++block)
    for (int i = 0; i < l.m; ++i)
      for (int j = 0; j < l.n; ++j, ++n) {
        const Place p = item(at(i, j, block));
        const std::uint64_t bits = result<D>(sums[n], x);
        const int r = d + p.item * D::bits / 32;
        if constexpr (D::bits == 16) {
          const int shift = 16 * (p.item & 1);
          w->v[r][p.lane] = (w->v[r][p.lane] & ~(0xffffu << shift)) | static_cast<std::uint32_t>(bits)
                                                                          << shift;
        } else {
          w->v[r][p.lane] = static_cast<std::uint32_t>(bits);
        }
        if constexpr (D::bits == 64) w->v[r + 1][p.lane] = static_cast<std::uint32_t>(bits >> 32);
        for (int part = r; part <= r + (D::bits == 64); ++part)
          w->unset[part] |= static_cast<std::uint64_t>(unset[n]) << p.lane;
      }
}

// Registers are given as the first rows of w->v that they have.
template <class A, class B, class D>
__attribute__((noinline)) void multiply(Wave* w, const Layout& l, const Modifiers& x, int lanes,
                                        const std::uint32_t* d_row, const std::uint32_t* a_row,
                                        const std::uint32_t* b_row, const std::uint32_t* c_row,
                                        std::uint64_t constant) {
  using S = Sum<D>;
  static Operands<S> a, b;  // one launch after the other: no two waves work at a time
  fetch<A>(w, l, x, number_of(w, a_row), 0, a);
  fetch<B>(w, l, x, number_of(w, b_row), 1, b);
  sum_up<D>(w, l, x, lanes, d_row, c_row, constant, [&](int line, int other, S& sum) {
    for (int k = 0; k < l.depth; ++k)
      sum = product_sum<S>(a.at[line * l.depth + k], b.at[other * l.depth + k], sum);
    return a.unset[line] || b.unset[other];
  });
}

}  // namespace podium::amd::matrix
