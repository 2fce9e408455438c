// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/judge/energy_meter.hpp"

#include <cmath>

namespace podium::judge {

void EnergyMeter::look(double seconds, double joules) {
  if (std::isnan(joules)) return;
  const bool stepped = joules > before_.joules;  // false of the first look
  const bool settled = before_.seconds >= settled_;
  if (joules < before_.joules) {  // it began anew: what was seen before has no place any more
    first_ = last_ = {};
    steps_ = 0;
  }
  before_ = {seconds, joules};
  if (!stepped || !settled) return;
  if (std::isnan(first_.joules)) {
    first_ = before_;
    return;
  }
  last_ = before_;
  ++steps_;
}

double EnergyMeter::watts() const {
  if (steps_ < least_steps) return std::numeric_limits<double>::quiet_NaN();
  return (last_.joules - first_.joules) / (last_.seconds - first_.seconds);
}

}  // namespace podium::judge
