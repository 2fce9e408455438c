// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Student intervals of a mean or a difference of means, Holm's procedure over many of them, and what they
// decide.
#pragma once
#include <span>
#include <vector>

namespace podium::rank {

struct Mean {
  double value = 0;
  double error = 0;    // standard error; infinite with fewer than two observations
  double freedom = 0;  // degrees of freedom; 0 with fewer than two observations
};
Mean mean(std::span<const double> observations);  // of at least one; throws std::invalid_argument

// mean(a) - mean(b) of independent observations, at least one of each, of variances that may differ. Welch
// 1947, Biometrika 34.
Mean difference(std::span<const double> a, std::span<const double> b);

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

enum class Decision { less, more, equal, undecided };
// Of each mean, Holm-adjusted over all: below -margin, above margin, within, or not known. The chance that
// any of `less` and `more` is false is at most alpha.
std::vector<Decision> decide(std::span<const Mean> means, double margin, double alpha);

}  // namespace podium::rank
