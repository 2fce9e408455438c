// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Results that are computed in f32 and rounded once.
#pragma once
#include "softmax.hpp"

namespace checked {

// Half a unit in T's last place, where what is rounded is right within `share` of the number and `apart`.
template <class T>
double rounded(double number, double share, double apart = 0) {
  static const Rounding<T> rounding;
  return rounding.share * std::fabs(number) + rounding.least + share * std::fabs(number) + apart;
}

}  // namespace checked
