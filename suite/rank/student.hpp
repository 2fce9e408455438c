// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Student intervals of a mean, and Holm's procedure over many of them.
#pragma once
#include <span>
#include <vector>

namespace podium::rank {

struct Mean {
  double value = 0;
  double error = 0;  // standard error; infinite with fewer than two observations
  int count = 0;
};
Mean mean(std::span<const double> observations);  // of at least one; throws std::invalid_argument

// Half the width of the two-sided interval that misses the mean with probability `alpha`, in (0, 1).
double half_width(const Mean& mean, double alpha);

// The largest alpha at which the interval still lies wholly beyond [-margin, margin]; 1 if it never does.
double p_beyond(const Mean& mean, double margin);

struct Holm {
  bool rejected = false;
  double alpha =
      0;  // the level at which this hypothesis was tested, or would have been when the procedure ended
};
// Steps down from the smallest p: the i-th smallest of m, from 0, is tested at alpha / (m - i); the first
// that is not rejected ends it. Keeps the chance of any false rejection below alpha. Holm 1979, Scand. J.
// Statist. 6.
std::vector<Holm> holm(std::span<const double> p, double alpha);

}  // namespace podium::rank
