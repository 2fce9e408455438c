// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/measure/repeats.hpp"

#include <algorithm>
#include <cmath>

namespace podium::measure {

int repeats_for(double seconds, double microseconds, int most) {
  constexpr double least = 3, micro = 1e-6;
  if (!(microseconds > 0)) return static_cast<int>(least);
  return static_cast<int>(std::clamp(std::ceil(seconds / (micro * microseconds)), least, double(most)));
}

}  // namespace podium::measure
