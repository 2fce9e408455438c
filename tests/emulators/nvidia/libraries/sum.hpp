// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// A sum in fp64, and the sizes of its terms, of which limits of sums in f32 are made.
#pragma once
#include <cmath>

namespace checked {

struct Sum {
  double sum = 0, size = 0;
  void add(double term) { sum += term, size += std::fabs(term); }
};

}  // namespace checked
