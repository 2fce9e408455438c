// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Sparse products of matrix cores (SMFMAC): D += A B, where of any four elements of a row of A that follow
// each other two are there, and a register of indices says which.
#pragma once
#include <cstdint>

#include "matrix.hpp"
#include "state.hpp"

namespace podium::amd::matrix {

inline constexpr int group = 4, kept = 2, index_bits = 2;

// As multiply(); the layout is that of the whole A, of which a lane has the elements that are kept, one after
// the other. A lane's indices, as wide as it needs, are one of the sets that its register has room for: the
// first, or where CBSZ is 0 that of ABID's number.
template <class A, class B, class D>
__attribute__((noinline)) void multiply_sparse(Wave* w, const Layout& l, const Modifiers& given_modifiers,
                                               int lanes, const std::uint32_t* d_row,
                                               const std::uint32_t* a_row, const std::uint32_t* b_row,
                                               const std::uint32_t* index_row) {
  using S = Sum<D>;
  const int held = l.m * l.depth / lanes, used = held / group * kept * index_bits, sets = 32 / used;
  const int shift = given_modifiers.cbsz == 0 ? given_modifiers.abid % sets * used : 0;
  Modifiers x = given_modifiers;
  x.cbsz = x.abid = 0;  // they choose no blocks here
  const int first = number_of(w, a_row), indices = number_of(w, index_row), some = l.depth / group * kept;

  static S a[most_operands / 2];
  static int from[most_operands / 2];  // which k
  static bool unset[most_operands];    // of a row
  static Operands<S> b;
  int n = 0;
  for (int line = 0; line < l.m; ++line) {
    unset[line] = false;
    for (int k = 0; k < l.depth; k += group)
      for (int i = 0; i < kept; ++i, ++n) {
        const Place p = place(l.line, line) | place(l.k, k);
        const int item = p.item / group * kept + i;
        bool missing = false;
        a[n] = static_cast<S>(A::value(element<A>(w, first, {p.lane, item}, missing), x.is_signed[0]));
        from[n] = k + static_cast<int>(w->v[indices][p.lane] >> (shift + item * index_bits) & (group - 1));
        unset[line] = unset[line] || missing || (w->unset[indices] >> p.lane & 1);
      }
  }
  fetch<B>(w, l, x, number_of(w, b_row), 1, b);
  sum_up<D>(w, l, x, lanes, d_row, d_row, 0, [&](int line, int other, S& sum) {
    for (int i = line * some; i < (line + 1) * some; ++i)
      sum = product_sum<S>(a[i], b.at[other * l.depth + from[i]], sum);
    return unset[line] || b.unset[other];
  });
}

}  // namespace podium::amd::matrix
