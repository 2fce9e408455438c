// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// One query's attention in fp64, and how far from it a kernel may be.
#pragma once
#include <algorithm>

#include "checked.hpp"

namespace checked {

// Half a unit in T's last place, as a share of the number, and half of T's least number.
template <class T>
struct Rounding {
  Rounding() {
    while (double(float(T(float(1 + share)))) > 1) share /= 2;
    while (double(float(T(float(least)))) > 0) least /= 2;
  }
  double share = .5, least = .5;
};

// `key(j)` and `value(j)` are where the numbers of key j lie, `width` and `of_values` of them. Right is what
// a kernel may make that keeps scores, weights and sums in f32, and rounds each weight to T for the second
// product, and its result to Out: half a unit in the last place each, and what f32 sums in any order make of
// a score.
template <class T, class Out, class Key, class Value>
void compare_attention(Verdict& verdict, const Out* found, const T* query, int keys, int width, int of_values,
                       double scale, const Key& key, const Value& value) {
  static const Rounding<T> of_weight;
  static const Rounding<Out> of_result;
  std::vector<double> weight(keys), sum(of_values), error(of_values);
  double largest = -INFINITY, total = 0, spread = 0;
  for (int j = 0; j < keys; ++j) {
    double terms = 0;
    for (int c = 0; c < width; ++c) {
      const double term = double(float(query[c])) * float(key(j)[c]);
      weight[j] += term, terms += std::fabs(term);
    }
    largest = std::max(largest, weight[j] *= scale);
    spread = std::max(spread, 2e-6 * terms * scale);
  }
  for (auto& w : weight) total += w = std::exp(w - largest);
  for (int j = 0; j < keys; ++j) {
    const double off = weight[j] * (of_weight.share + 2 * spread) + of_weight.least;
    for (int c = 0; c < of_values; ++c) {
      sum[c] += weight[j] / total * float(value(j)[c]);
      error[c] += off / total * std::fabs(float(value(j)[c]));
    }
  }
  for (int c = 0; c < of_values; ++c)
    verdict.compare(float(found[c]), sum[c],
                    error[c] + of_result.share * std::fabs(sum[c]) + of_result.least);
}

}  // namespace checked
