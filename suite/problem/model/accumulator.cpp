// SPDX-FileCopyrightText: The Podium authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/problem/model/accumulator.hpp"

namespace podium::problem {

double accumulate_eps(const Tolerance& tolerance, const Choice& choice) {
  const auto named = choice.types.find(tolerance.accumulate_type);
  return named != choice.types.end() ? info(named->second).eps : tolerance.accumulate_eps;
}

}  // namespace podium::problem
