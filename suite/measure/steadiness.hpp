// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
// Whether the samples of an entry are as independent as its median's interval takes them to be. Plain numbers
// in, plain numbers out.
#pragma once
#include <span>

namespace podium::measure {

// Over samples in the order in which they were taken. Both are of ranks, so that one outlier says nothing,
// and 0 where all are equal or there are fewer than four.
struct Steadiness {
  // Correlation of each sample with the one before, -1 to 1 (Wald and Wolfowitz 1943, Ann. Math. Stat. 14).
  double autocorrelation = 0;
  double autocorrelation_p = 1;  // chance of one as far from 0 if order meant nothing
  // Whether they rise or fall: Kendall's tau-b with time, -1 to 1 (Mann 1945, Econometrica 13).
  double trend = 0;
  double trend_p = 1;
};
Steadiness steadiness(std::span<const double> samples);

// Kendall's tau-b of pairs (x[i], y[i]); ties count for neither. 0 where one of the two is constant. Throws
// std::invalid_argument if the sizes differ. Kendall 1945, Biometrika 33.
double kendall(std::span<const double> x, std::span<const double> y);

}  // namespace podium::measure
